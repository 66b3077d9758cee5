/**
 * Resends claims that have not reached the rail (rule 43): Temporal loses an update that it accepted but had
 * not recorded when it died, and the workflow then does not know the claim.
 */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Logger } from 'pino';
import {
  type ClaimWithoutCall,
  claimsWithoutCall,
  findSessionToStart,
} from '../../db/session/session-sweep.ts';
import { restartSession, type StarterDeps, someAtOnce } from '../../temporal/start-workflows.ts';
import { payUpdate } from '../../workflows/session/session-messages.ts';

const BATCH = 200;
/** A worker answers in some 30 ms. Without a worker there is no answer; the next round tries again. */
const ANSWER_WITHIN_MS = 3_000;
/** Pause per claim while its workflow knows it and waits for a free worker. */
const REST_MS = 5_000;

/** @returns a function that runs one round; it remembers earlier rounds */
export function claimResender(
  deps: StarterDeps & { readonly logger: Pick<Logger, 'warn'> },
): () => Promise<void> {
  const { client, pool, logger } = deps;
  let heardAt = new Map<string, number>();

  return async () => {
    const claims = await claimsWithoutCall(pool, BATCH);
    heardAt = new Map([...heardAt].filter(([, at]) => performance.now() - at < REST_MS));
    await someAtOnce(
      claims.filter(({ paymentId }) => !heardAt.has(paymentId)),
      resend,
    );
  };

  /**
   * Repeats the click's update under its id: a no-op while the first one is being handled, and during a start delay
   * updates are the only messages that get through (rule 15).
   */
  async function resend({ checkoutId, claimId, paymentId }: ClaimWithoutCall): Promise<void> {
    const handle = client.workflow.getHandle(checkoutId);
    try {
      await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
        handle.executeUpdate(payUpdate, { args: [{ claimId }], updateId: claimId }),
      );
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) return;
      const checkout = await findSessionToStart(pool, checkoutId);
      if (checkout) await restartSession(deps, checkout);
    }
    heardAt.set(paymentId, performance.now());
    logger.warn({ checkoutId, paymentId }, 'claimed attempt not sent to the rail: resending');
  }
}
