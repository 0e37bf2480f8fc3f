import { isOdd } from './cycle-b.js';
export function isEven(n) {
  return n === 0 || isOdd(n - 1);
}
export const evenFromCycle = isEven;
