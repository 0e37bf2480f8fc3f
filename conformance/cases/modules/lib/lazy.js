globalThis.lazyEvaluations = (globalThis.lazyEvaluations ?? 0) + 1;
export const lazy = true;
