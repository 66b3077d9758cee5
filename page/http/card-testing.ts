/** What a click needs after declined cards: nothing, a proof of work, or more patience (rule 53). */
import { createHash, createHmac } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Session } from '../../db/session/find-session.ts';
import {
  challengeOf,
  type DeclineLimits,
  isFound,
  neededFor,
  PROOF_PARTS,
  proofText,
} from '../../domain/session/card-testing.ts';

/** IPv6 addresses of one network count together. */
const IPV6_NETWORK_BITS = 48;

/** Addresses are personal data: only the keyed hash is stored, for a day. */
export function addressHash(pepper: string, ip: string | undefined): Buffer {
  const network = ipKeyGenerator(ip ?? '', IPV6_NETWORK_BITS);
  return createHmac('sha256', pepper).update(`address ${network}`).digest();
}

export function needsOf(
  { id, declines }: Session,
  { claimId, proof }: { readonly claimId: string; readonly proof?: string | null | undefined },
  limits: DeclineLimits,
): 'proof_required' | 'too_many_declines' | null {
  if (!declines) return null;
  const needed = neededFor(declines, limits);
  if (needed === 'refusal') return 'too_many_declines';
  return needed === 'proof' && !proves(challengeOf(id, claimId), proof ?? '') ? 'proof_required' : null;
}

function proves(challenge: string, proof: string): boolean {
  const found = proof.split('.');
  return (
    found.length === PROOF_PARTS &&
    found.every((each, part) =>
      isFound(
        createHash('sha256')
          .update(proofText(challenge, part, each))
          .digest(),
      ),
    )
  );
}
