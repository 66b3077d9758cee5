/** Decides what a click needs after declined cards: nothing, a proof of work, or to be rejected for now (rule 53). */
import { createHash } from 'node:crypto';
import { ipKeyGenerator } from 'express-rate-limit';
import { countOfCard } from '../../db/session/card-declines.ts';
import type { Session } from '../../db/session/find-session.ts';
import {
  challengeOf,
  type DeclineLimits,
  isFound,
  mostDeclines,
  neededFor,
  PROOF_PARTS,
  proofText,
} from '../../domain/session/card-testing.ts';
import { keyedHash } from '../../platform/secrets/keyed-hash.ts';
import type { PageContext } from './context.ts';
import type { Loaded } from './load.ts';
import { openedAccount } from './rail-fields.ts';

/** Addresses within one IPv6 network of this size count as one. */
const IPV6_NETWORK_BITS = 48;
const RAIL_ANSWERS_WITHIN_MS = 2_000;

export function addressHash(pepper: string, ip: string | undefined): Buffer {
  const network = ipKeyGenerator(ip ?? '', IPV6_NETWORK_BITS);
  return keyedHash(pepper, 'address', network);
}

export async function needsOf(
  context: PageContext,
  { session, pool }: Loaded,
  { claimId, methodToken, proof }: Click,
  limits: DeclineLimits,
): Promise<'proof_required' | 'too_many_declines' | null> {
  const { id, declines } = session;
  if (!declines) return null;
  const hash = declines.card_tested ? await cardOfClick(context, session, methodToken) : null;
  const card = hash ? await countOfCard(pool, id, hash, mostDeclines(limits)) : declines.card;
  const needed = neededFor({ ...declines, card }, limits);
  if (needed === 'refusal') return 'too_many_declines';
  return needed === 'proof' && !proves(challengeOf(id, claimId), proof ?? '') ? 'proof_required' : null;
}

interface Click {
  readonly claimId: string;
  readonly methodToken: string;
  readonly proof?: string | null | undefined;
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
