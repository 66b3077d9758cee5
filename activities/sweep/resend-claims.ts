/**
 * Resends claims that have not reached the rail (rule 43). Temporal can lose an accepted update if it dies
 * before recording it; the workflow then does not know the claim.
 */
import type { Logger } from 'pino';
import { type ClaimWithoutCall, claimsWithoutCall } from '../../db/session/session-sweep.ts';
import { repeatClick } from '../../platform/temporal/messages.ts';
import { type StarterDeps, someAtOnce } from '../../platform/temporal/start-workflows.ts';

const BATCH = 200;
/** Time until a claim that its workflow has received, but no worker has taken, is resent. */
const REST_MS = 5_000;

/** @returns a function that runs one round and remembers earlier rounds */
export function claimResender(
  deps: StarterDeps & { readonly logger: Pick<Logger, 'warn'> },
): () => Promise<void> {
  const { pool, logger } = deps;
  let heardAt = new Map<string, number>();
  /** Claims whose failure has been logged. */
  let failed = new Set<string>();

  return async () => {
    const claims = await claimsWithoutCall(pool, BATCH);
    heardAt = new Map([...heardAt].filter(([, at]) => performance.now() - at < REST_MS));
    const waiting = new Set(claims.map(({ paymentId }) => paymentId));
    failed = new Set([...failed].filter((paymentId) => waiting.has(paymentId)));
    await someAtOnce(
      claims.filter(({ paymentId }) => !heardAt.has(paymentId)),
      resend,
    );
  };

  async function resend({ checkoutId, claimId, paymentId }: ClaimWithoutCall): Promise<void> {
    try {
      await repeatClick(deps, { checkoutId, claimId });
    } catch (err) {
      if (!failed.has(paymentId)) logger.warn({ checkoutId, paymentId, err }, 'claim could not be resent');
      failed.add(paymentId);
      return;
    }
    failed.delete(paymentId);
    heardAt.set(paymentId, performance.now());
    logger.warn({ checkoutId, paymentId }, 'claim resent');
  }
}
