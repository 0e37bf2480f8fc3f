// What few programs use is in a program of its own, which runs when something of
// it is needed for the first time. What it takes from here cannot have been
// replaced by the program in between.

let made;
function rare() {
  return made ??= host.rare({
    host, apply, ownKeys, getOwnPropertyDescriptor, TypeErr, RangeErr, isObject, define, hidden, show, incompatible, callable, unbig,
    weakGet, weakSet, Helper, close, closing, step, f16round, SuppressedErrorImpl,
  });
}

return (name) => rare().globals[name]();
