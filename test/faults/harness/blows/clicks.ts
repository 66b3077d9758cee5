/** Repeats earlier clicks, whose session may have ended since or be waiting for the answer to a later click. */
import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { payUpdate } from '../../../../workflows/session/session-messages.ts';
import type { Random } from '../core/random.ts';
import type { Click } from '../core/record.ts';
import { send } from '../people/calls.ts';
import type { Blow, Victims } from './blow.ts';

const HEALTHY_WITHIN_MS = 60_000;
const UPDATE_WITHIN_MS = 10_000;
const AGAIN = 8;

export function blowsByClicks(victims: Victims): readonly Blow[] {
  return [{ kind: 'clicks arrive again', strike: (random) => repeatClicks(victims, random) }];
}

/** Repeats clicks after the workers have lost their memory. */
async function repeatClicks({ place, recorder, client }: Victims, random: Random): Promise<string> {
  for (const worker of place.workers) worker.kill();
  for (const worker of place.workers) await worker.untilHealthy(HEALTHY_WITHIN_MS);
  const clicks = random.shuffle(recorder.clicks).slice(0, AGAIN);
  const repeat = async ({ sessionId, url, body }: Click) => {
    const { status } = await send(recorder, { method: 'POST', url, body });
    // Temporal deduplicates updates by id; the session gets a repeated click only under another id.
    const args: [{ readonly claimId: string }] = [{ claimId: body.claimId }];
    const run = client.workflow.getHandle(sessionId);
    const update = () => run.executeUpdate(payUpdate, { args, updateId: randomUUID() });
    const heard = await client.withDeadline(Date.now() + UPDATE_WITHIN_MS, update).then(
      ({ kind }) => kind,
      (error: unknown) => (error instanceof WorkflowNotFoundError ? 'over' : 'not answered'),
    );
    return `${sessionId} ${status}, ${heard}`;
  };
  return (await Promise.all(clicks.map(repeat))).join('; ') || 'nobody has clicked';
}
