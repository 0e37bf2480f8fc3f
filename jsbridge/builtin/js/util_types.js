// node:util/types.
(function (require, host) {
  "use strict";
  const { types } = require("internal:kinds");
  return Object.assign({}, types, { default: types });
})
