// Rule: setAlarm, getAlarm, deleteAlarm and the handler.
// Source: Cloudflare docs "Durable Objects: alarms"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';
import { until } from 'until.js';

const bodies = [];

export class Obj extends DurableObject {
  async run(index) {
    await bodies[index](this.ctx.storage, this.ctx);
    return 'done';
  }
}

// A test whose body runs inside a fresh object.
const inside = (body) => {
  const index = bodies.push(body) - 1;
  return {
    async test(ctrl, env) {
      assert.strictEqual(await env.Obj.get(env.Obj.newUniqueId()).run(index), 'done');
    },
  };
};

const runs = [];

export class Ringing extends DurableObject {
  async alarm(info) {
    const name = this.ctx.id.name;
    runs.push({ name, info, during: await this.ctx.storage.getAlarm(), at: Date.now() });
    if (name === 'again' && of(name).length < 3) await this.ctx.storage.setAlarm(Date.now() + 5);
  }
  set(time) {
    return this.ctx.storage.setAlarm(time);
  }
  get() {
    return this.ctx.storage.getAlarm();
  }
  delete() {
    return this.ctx.storage.deleteAlarm();
  }
  deleteAll() {
    return this.ctx.storage.deleteAll();
  }
}

const of = (name) => runs.filter((run) => run.name === name);
const future = () => Date.now() + 3600000;

// No alarm is null.
export const none = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Ringing.getByName('none').get(), null);
  },
};

// A set alarm can be read.
export const setGet = {
  async test(ctrl, env) {
    const [stub, time] = [env.Ringing.getByName('set'), future()];
    assert.strictEqual(await stub.set(time), undefined);
    assert.strictEqual(await stub.get(), time);
  },
};

// A Date is accepted.
export const setDate = {
  async test(ctrl, env) {
    const [stub, time] = [env.Ringing.getByName('date'), future()];
    await stub.set(new Date(time));
    assert.strictEqual(await stub.get(), time);
  },
};

// A second setAlarm replaces the first.
export const replace = {
  async test(ctrl, env) {
    const [stub, time] = [env.Ringing.getByName('replace'), future()];
    await stub.set(time);
    await stub.set(time + 5);
    assert.strictEqual(await stub.get(), time + 5);
  },
};

// deleteAlarm.
export const deleteAlarm = {
  async test(ctrl, env) {
    const stub = env.Ringing.getByName('delete');
    await stub.set(Date.now() + 200);
    assert.strictEqual(await stub.delete(), undefined);
    assert.strictEqual(await stub.get(), null);
    await scheduler.wait(350);
    assert.strictEqual(of('delete').length, 0);
  },
};

// deleteAll deletes the alarm, too.
export const deleteAll = {
  async test(ctrl, env) {
    const stub = env.Ringing.getByName('delete all');
    await stub.set(future());
    await stub.deleteAll();
    assert.strictEqual(await stub.get(), null);
  },
};

// The handler runs once, not early, with its info; getAlarm is null in it.
export const fires = {
  async test(ctrl, env) {
    const stub = env.Ringing.getByName('fires');
    const time = Date.now() + 300;
    await stub.set(time);
    await until(() => of('fires').length > 0);
    await scheduler.wait(50);
    assert.strictEqual(of('fires').length, 1);
    const [run] = of('fires');
    assert.deepStrictEqual({ ...run.info }, { scheduledTime: time, retryCount: 0, isRetry: false });
    assert.strictEqual(run.during, null);
    assert.ok(run.at >= time);
    assert.strictEqual(await stub.get(), null);
  },
};

// A time in the past fires at once.
export const past = {
  async test(ctrl, env) {
    await env.Ringing.getByName('past').set(1);
    await until(() => of('past').length > 0);
    assert.strictEqual(of('past').length, 1);
  },
};

// An alarm set in the handler.
export const again = {
  async test(ctrl, env) {
    await env.Ringing.getByName('again').set(Date.now() + 1);
    await until(() => of('again').length === 3);
    await scheduler.wait(50);
    assert.strictEqual(of('again').length, 3);
  },
};

// A time that is not positive is refused.
export const notPositive = {
  async test(ctrl, env) {
    const stub = env.Ringing.getByName('zero');
    await fails(() => stub.set(0), TypeError, 'setAlarm() cannot be called with an alarm time <= 0',
      { remote: true, durableObjectId: stub.id.toString() });
  },
};

// A class without alarm() cannot set one.
export const noHandler = inside(async (storage) => {
  await fails(() => storage.setAlarm(Date.now() + 1000), TypeError,
    'Your Durable Object class must have an alarm() handler in order to call setAlarm()');
});
