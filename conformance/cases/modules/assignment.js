// Rule: what a module does with a name that it imports. Source: ECMAScript spec,
// "Module Environment Records"; workerd behaviour.
import assert from 'node:assert';
import * as lib from './lib/counter.js';
import { count } from './lib/counter.js';
import { fails } from 'failure.js';

// Imports cannot be assigned to: that fails when it is reached, not before.
export const importsAreConst = {
  async test() {
    await fails(() => { count = 5; }, TypeError, 'Assignment to constant variable.');
  },
};

// Nor can the properties of a namespace object.
export const namespaceIsReadOnly = {
  test() {
    assert.throws(() => { lib.count = 1; }, TypeError);
    assert.throws(() => { lib.added = 1; }, TypeError);
  },
};
