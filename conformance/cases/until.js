// Shared by the cases: waiting for what must come, without a guess at how long
// it takes. A busy machine may let overdue timers fire out of order.
import assert from 'node:assert';

// until resolves once condition() is true, and fails if it is not within 5 s.
export async function until(condition) {
  for (let i = 0; i < 500; i++) {
    if (condition()) return;
    await scheduler.wait(10);
  }
  assert.fail('never came true: ' + condition);
}
