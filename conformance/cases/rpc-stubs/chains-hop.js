// The worker in between.
import { WorkerEntrypoint } from 'cloudflare:workers';

export default class extends WorkerEntrypoint {
  target(name, label) {
    return this.env.Obj.getByName(name).target(label);
  }
  async targetAwaited(name, label) {
    return await this.env.Obj.getByName(name).target(label);
  }
  async inObject(name, label) {
    return { target: await this.env.Obj.getByName(name).target(label) };
  }
  async use(name, label) {
    const target = await this.env.Obj.getByName(name).target(label);
    return await target.hi();
  }
  pass(method, ...args) {
    return this.env.Obj.getByName('passed')[method](...args);
  }
}
