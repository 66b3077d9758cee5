import type { Response } from 'express';
import type { Changes } from '../../../db/core/changes.ts';
import { type Admission, admitAttempt, freeProbeSlot } from '../../../db/payment/rail-admission.ts';
import { closeClick, insertClick, markPossiblySent, withdrawClick } from '../../../db/session/clicks.ts';
import { type DeclineLimits, mostDeclines, puzzleOf } from '../../../domain/session/card-testing.ts';
import { isFinal, type PayAnswer } from '../../../domain/session/session.ts';
import { methodTokenOf } from '../../../platform/secrets/places.ts';
import { payUpdate } from '../../../workflows/session/session-messages.ts';
import type { ClickResult } from '../../document/answers.ts';
import { answerError, answerView } from '../answer.ts';
import { addressHash, cardOfClick, type Needed, needsOf, proves, waitInQueue } from '../card-testing.ts';
import { type ClickBody, clickBody, emailOf, messageOf, refusalOf } from '../click.ts';
import type { PageContext } from '../context.ts';
import { type Loaded, load, type SessionRequest } from '../load.ts';
import { attemptSeen, sendUpdate } from '../send-update.ts';

/** How long a click waits for a worker before it lapses; by then the buyer has given up. */
const CLICK_VALID_SECONDS = 30;

const CLAIMED = { kind: 'answered', answer: { kind: 'claimed' } } as const;

/**
 * `POST /pay/:pageToken/pay`. PostgreSQL answers if it can: for final sessions, open attempts and repeated clicks. Two
 * kinds of click go to the workflow: a new click on a payable session, and the click of an attempt not yet sent to the
 * rail, whose first update may have been lost (rule 43).
 */
export function pay(context: PageContext, changes: Changes, limits: DeclineLimits) {
  const most = mostDeclines(limits);
  return async (req: SessionRequest, res: Response) => {
    const parsed = clickBody.safeParse(req.body);
    if (!parsed.success) return answerError(res, 'invalid_request', messageOf(parsed.error));
    const body = parsed.data;
    const address = addressHash(context.config.secrets.apiKeyPepper, req.ip);
    const loaded = await load(context, req, body.claimId, most === 0 ? null : { address, most });
    if (!loaded) return answerError(res, 'session_not_found');
    const { session, view, pool } = loaded;
    const puzzle = puzzleOf(session.id, body.claimId);
    const click = { ...body, proved: proves(puzzle, body.proof ?? ''), address };
    const answer = async (result: ClickResult, read?: Loaded | null) => {
      const now = read ?? (await load(context, req));
      answerView(res, now?.view ?? view, { claim: result });
    };

    const send = (claimId: string, notNeeded?: AbortSignal) =>
      sendUpdate(context, session, payUpdate, [{ claimId }], claimId, notNeeded);
    /** Resolves with the update's answer or with the attempt's row, which proves that the update has arrived. */
    const sendAndWait = async () => {
      const answered = new AbortController();
      const { signal } = answered;
      const find = async () => {
        const now = await load(context, req, body.claimId);
        return now?.session.click?.payment_id ? { ...CLAIMED, now } : null;
      };
      const seen = attemptSeen(changes, session.id, find, signal);
      return Promise.race([seen, send(body.claimId, signal)]).finally(() => answered.abort());
    };
    const reject = (needed: Exclude<Needed, 'nothing'>) => {
      if (needed === 'wait') return answer('lapsed');
      if (needed === 'refusal') return answerError(res, 'too_many_declines');
      return answerError(res, 'proof_required', undefined, { challenge: puzzle });
    };
    const account = { ...session.account, environment: session.environment };
    let admission: Admission = { refusedForSeconds: null, probeSlotUntil: null };
    const earlier = session.click;
    if (earlier?.payment_id && !earlier.attempt_not_sent) return answer('claimed');
    if (earlier && !earlier.payment_id && earlier.has_lapsed) return answer('lapsed');
    if (!earlier) {
      if (isFinal(view.state)) return answerView(res, view, { claim: 'refused' });
      if (view.state !== 'created') {
        const { openAttempt } = view;
        if (openAttempt && !openAttempt.called) void send(openAttempt.claimId);
        return answerView(res, view, { claim: 'joined' });
      }
      const refusal = refusalOf(loaded, body);
      if (refusal) return answerError(res, refusal);
      const needed = await needsOf(context, loaded, click, limits);
      if (needed !== 'nothing') return reject(needed);
      // Skip this read while every breaker is closed, as the view shows.
      if (session.breaker_not_closed) admission = await admitAttempt(pool, account);
      if (admission.refusedForSeconds !== null) return answerError(res, 'payment_rail_unavailable');
      const stored = await storeClick(context, loaded, click);
      if (stored !== 'stored') await freeProbeSlot(pool, account, admission);
      if (stored === 'taken') return answerError(res, 'claim_id_taken');
      if (stored === 'not_payable') return answer('refused');
    }
    if (!earlier?.payment_id && !click.proved) {
      const needed = await waitInQueue(pool, body.claimId, CLICK_VALID_SECONDS, limits);
      const mayReturn = needed !== 'wait';
      if (needed !== 'nothing' && (await withdrawClick(pool, session.id, body.claimId, mayReturn))) {
        await freeProbeSlot(pool, account, admission);
        return reject(needed);
      }
    }

    // An attempt that was not sent has a row, but only the update makes the workflow continue it (rule 43).
    const sent = await (earlier ? send(body.claimId) : sendAndWait());
    if (sent.kind === 'answered' && sent.answer.kind === 'claimed') {
      return answer('claimed', 'now' in sent ? sent.now : undefined);
    }
    if (sent.kind === 'unknown') await markPossiblySent(pool, body.claimId);
    const now = await load(context, req, body.claimId);
    const found = now?.session.click;
    if (found?.payment_id && !found.attempt_not_sent) return answer('claimed', now);
    if (sent.kind === 'unknown' || found?.attempt_not_sent) return answerError(res, 'outcome_unknown');
    await closeClick(pool, session.id, body.claimId);
    await freeProbeSlot(pool, account, admission);
    return answer(sent.kind === 'answered' ? resultOf(sent.answer) : 'refused');
  };
}

function resultOf(answer: PayAnswer | (typeof CLAIMED)['answer']): ClickResult {
  if (answer.kind !== 'refused') return answer.kind;
  const { reason } = answer;
  return reason === 'terms_changed' || reason === 'subscription_exists' ? reason : 'refused';
}

interface Click extends ClickBody {
  readonly proved: boolean;
  readonly address: Buffer;
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
