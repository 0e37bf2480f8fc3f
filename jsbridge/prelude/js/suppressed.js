// SuppressedError.
// https://tc39.es/proposal-explicit-resource-management/

function SuppressedErrorImpl(error, suppressed, message) {
  const target = new.target ?? SuppressedErrorImpl;
  const e = Reflect.construct(Error, message === undefined ? [] : [message], target);
  hidden(e, "error", error, true, true);
  hidden(e, "suppressed", suppressed, true, true);
  return e;
}
hidden(SuppressedErrorImpl, "name", "SuppressedError", false, true);
Object.setPrototypeOf(SuppressedErrorImpl, Error);
hidden(SuppressedErrorImpl, "prototype", Object.create(Error.prototype), false, false);
hidden(SuppressedErrorImpl.prototype, "constructor", SuppressedErrorImpl, true, true);
hidden(SuppressedErrorImpl.prototype, "name", "SuppressedError", true, true);
hidden(SuppressedErrorImpl.prototype, "message", "", true, true);
hidden(globalThis, "SuppressedError", SuppressedErrorImpl, true, true);
