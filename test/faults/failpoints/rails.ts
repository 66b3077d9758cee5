/** The rails, with a failpoint before and after each call. */
import * as real from '../../../bin/rails.ts';
import { failpoint } from './failpoint.ts';
import { afterCall, beforeCall, CALL_NAMES } from './points.ts';

export function createRails(
  ...given: Parameters<typeof real.createRails>
): ReturnType<typeof real.createRails> {
  const rails = [...real.createRails(...given)].map(([name, rail]) => {
    const calls = Object.entries(rail).map(([operation, call]) => [
      operation,
      CALL_NAMES.has(operation) ? around(operation, call.bind(rail)) : call,
    ]);
    return [name, { ...rail, ...Object.fromEntries(calls) }] as const;
  });
  return new Map(rails);
}

const around =
  (operation: string, call: (...args: readonly unknown[]) => unknown) =>
  (...args: readonly unknown[]) => {
    const answer = failpoint(beforeCall(operation)).then(() => call(...args));
    return answer.then(async (heard) => {
      await failpoint(afterCall(operation));
      return heard;
    });
  };
