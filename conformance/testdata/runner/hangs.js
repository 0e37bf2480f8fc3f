export const a = {
  test() {},
};

// A timer keeps the context busy, so that no runtime finds out by itself.
export const b = {
  async test() {
    await new Promise(() => setInterval(() => {}, 1000));
  },
};

export const c = {
  test() {},
};
