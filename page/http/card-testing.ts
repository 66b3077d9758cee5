/**
 * Decides how a click is handled after declined cards, or beside many open clicks: it is accepted, has to wait, needs a
 * proof of work, or is rejected for now (rule 53).
 */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Pool } from '../../db/core/pool.ts';
import { countOfCard, countWithOpenClicks } from '../../db/session/card-declines.ts';
import type { Session } from '../../db/session/read/find-session.ts';
import {
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
/** Together with the update's deadline, less than the page's time limit for a response (`POST_TIMEOUT_MS`). */
const QUEUE_WITHIN_MS = 6_000;
const LOOKS_EVERY_MS = 250;

export type Needed = ReturnType<typeof neededFor>;

export function addressHash(pepper: string, ip: string | undefined): Buffer {
  const network = ipKeyGenerator(ip ?? '', IPV6_NETWORK_BITS);
  return keyedHash(pepper, 'address', network);
}

export async function needsOf(
  context: PageContext,
  { session, pool }: Loaded,
  { methodToken, proved }: Click,
  limits: DeclineLimits,
): Promise<Needed> {
  const { id, declines } = session;
  if (!declines) return 'nothing';
  const hash = declines.card_tested ? await cardOfClick(context, session, methodToken) : null;
  const card = hash ? await countOfCard(pool, id, hash, mostDeclines(limits)) : declines.card;
  const needed = neededFor({ ...declines, card }, limits);
  return needed === 'proof' && proved ? 'nothing' : needed;
}

interface Click {
  readonly methodToken: string;
  readonly proved: boolean;
}

/**
 * Counts a stored click without a proof with the merchant's open clicks. If those alone exceed a limit, waits for their
 * answers, first come, first served. A click whose client has disconnected keeps its place.
 *
 * @returns `wait` if the queue did not reach it in time
 */
export async function waitInQueue(
  pool: Pool,
  claimId: string,
  withinSeconds: number,
  limits: DeclineLimits,
): Promise<Needed> {
  if (limits.perMerchant === 0 && limits.perAddress === 0) return 'nothing';
  for (;;) {
    const found = await countWithOpenClicks(pool, claimId, withinSeconds, limits);
    // The stored click no longer exists: another request with the same click withdrew it and asked for the proof.
    if (!found) return 'proof';
    const { declines, others, ahead, waited_ms } = found;
    // A click with an earlier instant may commit a little later, so a fresh click counts all others.
    const needed = neededFor(declines, limits, waited_ms < LOOKS_EVERY_MS ? others : ahead);
    if (needed !== 'wait' || waited_ms >= QUEUE_WITHIN_MS) return needed;
    await setTimeout(LOOKS_EVERY_MS);
  }
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
