export class Counter {}
export default { fetch() { return new Response("ok"); } };
