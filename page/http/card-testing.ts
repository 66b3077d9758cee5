/**
 * The keyed hashes of address and card that are counted against card testing (rule 53), and the check of a
 * proof of work.
 */
import { createHash } from 'node:crypto';
import type { Session } from '../../db/session/read/find-session.ts';
import { isFound, PROOF_PARTS, proofText } from '../../domain/session/card-testing.ts';
import { keyedHash } from '../../platform/secrets/keyed-hash.ts';
import type { PageContext } from './context.ts';
import { networkOf } from './limits.ts';
import { openedAccount } from './rail-fields.ts';

const RAIL_ANSWERS_WITHIN_MS = 2_000;

export function addressHash(pepper: string, ip: string | undefined): Buffer {
  return keyedHash(pepper, 'address', networkOf(ip));
}

/** Returns the card's hash; null if the rail does not identify it, or not in time. */
export async function cardOfClick(
  context: PageContext,
  session: Session,
  methodToken: string,
): Promise<Buffer | null> {
  const rail = context.rails.get(session.account.rail);
  const signal = AbortSignal.timeout(RAIL_ANSWERS_WITHIN_MS);
  const account = openedAccount(context, session);
  const fingerprint = await rail?.cardOf?.(account, methodToken, signal).catch(() => null);
  return fingerprint ? keyedHash(context.config.secrets.apiKeyPepper, 'card', fingerprint) : null;
}

export function proves(puzzle: string, proof: string): boolean {
  const found = proof.split('.');
  return (
    found.length === PROOF_PARTS &&
    found.every((each, part) =>
      isFound(
        createHash('sha256')
          .update(proofText(puzzle, part, each))
          .digest(),
      ),
    )
  );
}
