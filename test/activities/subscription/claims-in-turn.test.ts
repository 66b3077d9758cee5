/** Due charges are claimed in turn, so that a burst of them leaves connections to clicks. */
import { expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { inTurn } from '../../../activities/subscription/subscription-charges.ts';
import { eventually } from '../../support/core/eventually.ts';

test('at most four claim at once, and one whose deadline passes in the queue claims nothing', async () => {
  const gate = Promise.withResolvers<void>();
  const claimed: string[] = [];
  const claim = inTurn(async (id: string) => {
    claimed.push(id);
    await gate.promise;
    return null;
  });
  const run = (environment: MockActivityEnvironment, id: string) => environment.run(claim, id);

  const first = ['a', 'b', 'c', 'd'].map((id) => run(new MockActivityEnvironment(), id));
  const late = new MockActivityEnvironment();
  const cancelled = run(late, 'late');
  const next = run(new MockActivityEnvironment(), 'next');
  await eventually(() => expect(claimed).toEqual(['a', 'b', 'c', 'd']));
  late.cancel();
  gate.resolve();
  await expect(cancelled).rejects.toThrow();
  await Promise.all([...first, next]);
  expect(claimed).toEqual(['a', 'b', 'c', 'd', 'next']);
});
