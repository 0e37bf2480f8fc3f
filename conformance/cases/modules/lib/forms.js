export default function () {
  return 'default';
}
export class Named {
  hello() {
    return 'named';
  }
}
const value = 1;
export { value as 'odd name' };
export { count as reexported } from './counter.js';
