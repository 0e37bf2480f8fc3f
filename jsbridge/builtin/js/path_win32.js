// node:path/win32.
(function (require, host) {
  "use strict";
  return require("internal:path_both").win32;
})
