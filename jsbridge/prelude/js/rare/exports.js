return {
  fromAsync, sumPrecise, escapeRegExpChar, zip, zipKeyed, fromHalf, toHalf,
  globals: {
    DisposableStack: () => stackClass(false),
    AsyncDisposableStack: () => stackClass(true),
    WeakRef: weakRefClass,
    Atomics: atomics,
    FinalizationRegistry: registryClass,
  },
};
