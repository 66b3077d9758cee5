/** Polls until an operation's effect is visible, for at most five seconds: a charge may take longer. */
import { setTimeout as pause } from 'node:timers/promises';

const LONGEST_WAIT_MS = 5_000;

export async function readUntil<Value>(
  read: () => Promise<Value>,
  isDone: (value: Value) => boolean,
): Promise<Value> {
  const until = performance.now() + LONGEST_WAIT_MS;
  let value = await read();
  while (!isDone(value) && performance.now() < until) {
    await pause(50);
    value = await read();
  }
  return value;
}
