// Rule: an alarm handler that throws runs again after 2 seconds (up to a quarter
// more), then after 4. Source: Cloudflare docs "Durable Objects: alarms"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';

const runs = [];

export class Obj extends DurableObject {
  alarm({ retryCount, isRetry }) {
    const name = this.ctx.id.name;
    runs.push({ name, retryCount, isRetry, at: Date.now() });
    if (name === 'aborts' && runs.filter((run) => run.name === name).length === 1) this.ctx.abort('in alarm');
    if (name === 'dropped') this.ctx.abort('in alarm', { retryAlarm: false });
    if (name === 'throws' && retryCount < 2) throw new Error('not yet');
  }
  set() {
    return this.ctx.storage.setAlarm(Date.now());
  }
}

const between = (value, low, high) => assert.ok(value >= low && value <= high, `${value} is not in ${low}..${high}`);

// Two throws, then success.
export const throwing = {
  async test(ctrl, env) {
    await env.Obj.getByName('throws').set();
    await scheduler.wait(9000);
    const mine = runs.filter((run) => run.name === 'throws');
    assert.deepStrictEqual(mine.map((run) => [run.retryCount, run.isRetry]), [[0, false], [1, true], [2, true]]);
    between(mine[1].at - mine[0].at, 1990, 2900);
    between(mine[2].at - mine[1].at, 3990, 5400);
  },
};

// An abort in the handler is a failure as well.
export const aborting = {
  async test(ctrl, env) {
    await env.Obj.getByName('aborts').set();
    await scheduler.wait(4000);
    const mine = runs.filter((run) => run.name === 'aborts');
    assert.strictEqual(mine.length, 2);
    assert.strictEqual(mine[1].isRetry, true);
    between(mine[1].at - mine[0].at, 1990, 2900);
  },
};

// An abort with retryAlarm: false drops the alarm.
export const dropped = {
  async test(ctrl, env) {
    await env.Obj.getByName('dropped').set();
    await scheduler.wait(4000);
    assert.strictEqual(runs.filter((run) => run.name === 'dropped').length, 1);
  },
};
