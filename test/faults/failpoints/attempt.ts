/** The activity of an attempt, with failpoints around its call and its record. */
import * as real from '../../../activities/payment/attempt.ts';
import { failpoint } from './failpoint.ts';
import { afterActivity, beforeActivity, partOf } from './points.ts';

export const attemptsOf: typeof real.attemptsOf = (deps, kind) => {
  async function around<Result>(part: 'send' | 'record', run: () => Promise<Result>): Promise<Result> {
    await failpoint(beforeActivity(partOf(kind.name, part)));
    const result = await run();
    await failpoint(afterActivity(partOf(kind.name, part)));
    return result;
  }
  return real.attemptsOf(deps, {
    ...kind,
    send: (deps, attemptId) => around('send', () => kind.send(deps, attemptId)),
    record: (answer) => around('record', () => kind.record(answer)),
  });
};
