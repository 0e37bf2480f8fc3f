// Shared by the cases: what a call fails with, as a value to compare.

// thrown calls action and returns the name and the message of what it throws or
// rejects with.
export async function thrown(action) {
  try {
    await action();
  } catch (e) {
    return `${e?.name}: ${e?.message}`;
  }
  return 'nothing';
}
