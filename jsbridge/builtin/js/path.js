// node:path, which is node:path/posix: a Worker sees "/" everywhere.
(function (require, host) {
  "use strict";
  return require("internal:path_both").posix;
})
