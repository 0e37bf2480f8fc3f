// node:path/posix, and through it node:path: a Worker sees "/" as its
// separator everywhere.
(function (require, host) {
  "use strict";
  return require("internal:path_both").posix;
})
