import { setTimeout } from 'node:timers/promises';
import type { Response } from 'express';
import type { Changes } from '../../../db/core/changes.ts';
import type { Pool } from '../../../db/core/pool.ts';
import { admitAttempt, freeProbeSlot } from '../../../db/payment/rail-admission.ts';
import { countOfCard, countWithOpenClicks } from '../../../db/session/card-declines.ts';
import { closeClick, insertClick, markPossiblySent, withdrawClick } from '../../../db/session/clicks.ts';
import type { Session } from '../../../db/session/read/find-session.ts';
import {
  type DeclineLimits,
  mostDeclines,
  neededFor,
  puzzleOf,
} from '../../../domain/session/card-testing.ts';
import { isFinal, type PayAnswer } from '../../../domain/session/session.ts';
import { methodTokenOf } from '../../../platform/secrets/places.ts';
import type { Sent } from '../../../platform/temporal/send.ts';
import { payUpdate } from '../../../workflows/session/session-messages.ts';
import type { ClickResult, PageErrorCode } from '../../document/answers.ts';
import { answerError, answerView } from '../answer.ts';
import { addressHash, cardOfClick, proves } from '../card-testing.ts';
import { type ClickBody, clickBody, emailOf, messageOf, refusalOf } from '../click.ts';
import type { PageContext } from '../context.ts';
import { type Loaded, load, type SessionRequest, updateSession } from '../load.ts';

/** How long a click waits for a worker before it expires; by then the buyer has given up. */
const CLICK_VALID_SECONDS = 30;
/** Together with the update's deadline, less than the page's time limit for a response (`POST_TIMEOUT_MS`). */
const QUEUE_WITHIN_MS = 6_000;
const LOOKS_EVERY_MS = 250;

type Needed = ReturnType<typeof neededFor>;

interface Click extends ClickBody {
  readonly proved: boolean;
  readonly address: Buffer;
}

interface Given {
  readonly context: PageContext;
  readonly changes: Changes;
  readonly limits: DeclineLimits;
  readonly loaded: Loaded;
  readonly click: Click;
  /** Reads the session again, with the click. */
  read(): Promise<Loaded | null>;
}

/** The click's result with the session, which is read again if it is absent; or an error. */
type Reply =
  | { readonly claim: ClickResult; readonly now?: Loaded | null }
  | { readonly error: PageErrorCode };

/** `POST /pay/:pageToken/pay`. */
export function pay(context: PageContext, changes: Changes, limits: DeclineLimits) {
  const most = mostDeclines(limits);
  return async (req: SessionRequest, res: Response) => {
    const parsed = clickBody.safeParse(req.body);
    if (!parsed.success) return answerError(res, 'invalid_request', messageOf(parsed.error));
    const { claimId, proof } = parsed.data;
    const address = addressHash(context.config.secrets.apiKeyPepper, req.ip);
    const loaded = await load(context, req, claimId, most === 0 ? null : { address, most });
    if (!loaded) return answerError(res, 'session_not_found');
    const puzzle = puzzleOf(loaded.session.id, claimId);
    const click = { ...parsed.data, proved: proves(puzzle, proof ?? ''), address };
    const read = () => load(context, req, claimId);
    const reply = await replyTo({ context, changes, limits, loaded, click, read });
    if ('claim' in reply) {
      const now = reply.now ?? (await read()) ?? loaded;
      return answerView(res, now.view, { claim: reply.claim });
    }
    const { error } = reply;
    answerError(res, error, undefined, error === 'proof_required' ? { challenge: puzzle } : {});
  };
}

/**
 * PostgreSQL answers if it can: for final sessions, open attempts and repeated clicks. Two kinds of click go to the
 * workflow: a new click on a payable session, and the click of an attempt not yet sent to the rail, whose first update
 * may have been lost (rule 43).
 */
async function replyTo(given: Given): Promise<Reply> {
  const { session, pool } = given.loaded;
  const { click: earlier } = session;
  if (earlier?.payment_id) return earlier.attempt_not_sent ? sendClick(given) : { claim: 'claimed' };
  if (earlier) return earlier.has_expired ? { claim: 'expired' } : queueAndSend(given);
  const refusal = await refusalOfNew(given);
  if (refusal) return refusal;
  // Skip this read while every breaker is closed, as the view shows.
  if (!session.breaker_not_closed) return storeAndSend(given);
  const account = { ...session.account, environment: session.environment };
  const admission = await admitAttempt(pool, account);
  if (admission.refusedForSeconds !== null) return { error: 'payment_rail_unavailable' };
  const reply = await storeAndSend(given);
  const mayHaveAttempt = 'claim' in reply ? reply.claim === 'claimed' : reply.error === 'outcome_unknown';
  if (!mayHaveAttempt) await freeProbeSlot(pool, account, admission);
  return reply;
}

async function refusalOfNew(given: Given): Promise<Reply | null> {
  const { context, loaded, click } = given;
  const { session, view } = loaded;
  if (isFinal(view.state)) return { claim: 'refused', now: loaded };
  if (view.state !== 'created') {
    const { openAttempt } = view;
    if (openAttempt && !openAttempt.called) void send(context, session, openAttempt);
    return { claim: 'in_progress', now: loaded };
  }
  const refusal = refusalOf(loaded, click);
  if (refusal) return { error: refusal };
  const needed = await neededAfterDeclines(given);
  return needed === 'nothing' ? null : rejected(needed);
}

async function neededAfterDeclines({ context, limits, loaded, click }: Given): Promise<Needed> {
  const { session, pool } = loaded;
  const { id, declines } = session;
  if (!declines) return 'nothing';
  const hash = declines.card_tested ? await cardOfClick(context, session, click.methodToken) : null;
  const card = hash ? await countOfCard(pool, id, hash, mostDeclines(limits)) : declines.card;
  const needed = neededFor({ ...declines, card }, limits);
  return needed === 'proof' && click.proved ? 'nothing' : needed;
}

function rejected(needed: Exclude<Needed, 'nothing'>): Reply {
  if (needed === 'wait') return { claim: 'expired' };
  return { error: needed === 'refusal' ? 'too_many_declines' : 'proof_required' };
}

async function storeAndSend(given: Given): Promise<Reply> {
  const stored = await storeClick(given.context, given.loaded, given.click);
  if (stored === 'taken') return { error: 'claim_id_taken' };
  return stored === 'not_payable' ? { claim: 'refused' } : queueAndSend(given);
}

async function queueAndSend(given: Given): Promise<Reply> {
  const { session, pool } = given.loaded;
  const { claimId, proved } = given.click;
  const needed = proved ? 'nothing' : await waitInQueue(pool, claimId, given.limits);
  if (needed === 'nothing') return sendClick(given);
  const isWithdrawn = await withdrawClick(pool, session.id, claimId, needed !== 'wait');
  return isWithdrawn ? rejected(needed) : sendClick(given);
}

/**
 * Counts a stored click without a proof together with the merchant's open clicks. If those alone exceed a limit, waits
 * for their answers, first come, first served. A click whose client has disconnected keeps its place.
 * @returns `wait` if the click's turn did not come in time
 */
async function waitInQueue(pool: Pool, claimId: string, limits: DeclineLimits): Promise<Needed> {
  if (limits.perMerchant === 0 && limits.perAddress === 0) return 'nothing';
  for (;;) {
    const found = await countWithOpenClicks(pool, claimId, CLICK_VALID_SECONDS, limits);
    // The stored click no longer exists: another request with the same click withdrew it and asked for the proof.
    if (!found) return 'proof';
    const { declines, others, ahead, waited_ms } = found;
    // A click with an earlier time may commit slightly later, so a new click counts all others.
    const needed = neededFor(declines, limits, waited_ms < LOOKS_EVERY_MS ? others : ahead);
    if (needed !== 'wait' || waited_ms >= QUEUE_WITHIN_MS) return needed;
    await setTimeout(LOOKS_EVERY_MS);
  }
}

async function sendClick(given: Given): Promise<Reply> {
  const { context, click, read } = given;
  const { session, pool } = given.loaded;
  // An attempt that was not sent has a row, but only the update makes the workflow continue it (rule 43).
  const sent = await (session.click ? send(context, session, click) : sendAndWait(given));
  if ('session' in sent) return { claim: 'claimed', now: sent };
  if (sent.kind === 'answered' && sent.answer.kind === 'claimed') return { claim: 'claimed' };
  if (sent.kind === 'unknown') await markPossiblySent(pool, click.claimId);
  const now = await read();
  const found = now?.session.click;
  if (found?.payment_id && !found.attempt_not_sent) return { claim: 'claimed', now };
  if (sent.kind === 'unknown' || found?.attempt_not_sent) return { error: 'outcome_unknown' };
  await closeClick(pool, session.id, click.claimId);
  return { claim: sent.kind === 'answered' ? resultOf(sent.answer) : 'refused' };
}

/**
 * Resolves with the update's answer, or earlier with the session and its attempt, which prove that the update has
 * arrived: the update is answered only when its workflow task ends, which may wait for the rail
 * (docs/decisions/0020-an-attempt-is-one-activity.md).
 */
async function sendAndWait({
  context,
  changes,
  loaded,
  click,
  read,
}: Given): Promise<Sent<PayAnswer> | Loaded> {
  const { session } = loaded;
  const answered = new AbortController();
  const seen = Promise.withResolvers<Loaded>();
  const unsubscribe = changes.subscribe(session.id, () => {
    read().then(
      (now) => now?.session.click?.payment_id && seen.resolve(now),
      // Ignore a failed read: the answer to the update is still pending.
      () => {},
    );
  });
  return Promise.race([seen.promise, send(context, session, click, answered.signal)]).finally(() => {
    unsubscribe();
    answered.abort();
  });
}

function send(
  context: PageContext,
  session: Session,
  click: Pick<Click, 'claimId'>,
  notNeeded?: AbortSignal,
) {
  const { claimId } = click;
  return updateSession(context, session, payUpdate, { args: [{ claimId }], updateId: claimId }, notNeeded);
}

function resultOf(answer: PayAnswer): ClickResult {
  if (answer.kind !== 'refused') return answer.kind;
  const { reason } = answer;
  return reason === 'terms_changed' || reason === 'subscription_exists' ? reason : 'refused';
}

async function storeClick(context: PageContext, loaded: Loaded, click: Click) {
  const { secretBox } = context;
  const { session, pool } = loaded;
  const { product, price } = session.terms;
  const cardTells = product.one_trial_per_customer && price.recurring?.trial_period_days;
  const request = {
    ...click,
    checkoutId: session.id,
    methodToken: secretBox.seal(click.methodToken, methodTokenOf(click.claimId)),
    email: session.email_confirmed ? null : emailOf(loaded, click),
    name: loaded.view.nameToSpell && click.name,
    card: cardTells ? await cardOfClick(context, session, click.methodToken) : null,
  };
  return insertClick(pool, request, CLICK_VALID_SECONDS);
}
