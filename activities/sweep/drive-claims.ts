/**
 * An attempt that was claimed and not sent to the rail is driven on (rule 43): an update that was accepted and
 * not recorded is gone when Temporal dies, and its workflow knows nothing of the claim.
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
/** A worker answers in some 30 ms. Without one nobody answers: the next round asks again. */
const ANSWER_WITHIN_MS = 3_000;
/** Its workflow has heard of the claim: what is missing now is a free worker. */
const REST_MS = 5_000;

/** @returns one round; it remembers what the last ones did */
export function claimDriver(
  deps: StarterDeps & { readonly logger: Pick<Logger, 'warn'> },
): () => Promise<void> {
  const { client, pool, logger } = deps;
  let heardAt = new Map<string, number>();

  return async () => {
    const claims = await claimsWithoutCall(pool, BATCH);
    heardAt = new Map([...heardAt].filter(([, at]) => performance.now() - at < REST_MS));
    await someAtOnce(
      claims.filter(({ paymentId }) => !heardAt.has(paymentId)),
      driveOn,
    );
  };

  /**
   * Repeats the update of the click under its own id: while the first one is being handled nothing happens, and
   * in a start delay an update is the only message that is heard (rule 15).
   */
  async function driveOn({ checkoutId, claimId, paymentId }: ClaimWithoutCall): Promise<void> {
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
    logger.warn({ checkoutId, paymentId }, 'an attempt was claimed and not sent to the rail: driven on');
  }
}
