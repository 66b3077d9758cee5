/** A buyer on the hosted page: the requests of the page's script, and the habits of buyers. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { elapsed, now, type Recorder } from '../core/record.ts';
import { sendUntilAnswered } from './calls.ts';
import { APPLE_PAY, GOOD_CARD } from './cards.ts';

export const HABITS = [
  'plain',
  'plain',
  'plain',
  'two tabs',
  'double click',
  'closes the page',
  'abandons the challenge',
  'fails the challenge',
  'corrects the email',
  'cancels',
  'cancels at once',
  'tries another card',
] as const;
type Habit = (typeof HABITS)[number];

export interface Purchase {
  readonly sessionId: string;
  readonly hostedUrl: string;
  readonly card: string;
  readonly habit: Habit;
  /** The merchant's prefill, or the buyer's first input. */
  readonly email: string;
  readonly rightEmail: string;
  /** The code of a coupon that the buyer enters. */
  readonly code?: string | undefined;
  /** The instant of the first click, in the time of `performance.now()`. */
  readonly clickAt?: number | undefined;
}

const TIMEOUT_MS = 90_000;
/** How long the page resends a click without a response: longer than the comparison of a restored database. */
const CLICK_WITHIN_MS = 600_000;
const POLL_MS = 300;

// biome-ignore lint/suspicious/noExplicitAny: the page's view, of which a buyer looks at a few fields.
type View = any;

export class Buyer {
  readonly #recorder: Recorder;
  readonly #purchase: Purchase;
  readonly #end = performance.now() + TIMEOUT_MS;

  constructor(recorder: Recorder, purchase: Purchase) {
    this.#recorder = recorder;
    this.#purchase = purchase;
  }

  /** @returns the state that the page showed last */
  async buy(): Promise<string> {
    const { habit, card, code } = this.#purchase;
    const startedAt = now();
    const since = performance.now();
    if (code) await this.#ask('code', { code });
    let view: View;
    if (habit === 'two tabs') {
      [view] = await Promise.all([this.#pay(card), this.#pay(GOOD_CARD)]);
    } else if (habit === 'cancels') {
      const paying = this.#pay(card);
      await pause(400);
      await this.#cancel();
      view = await paying;
    } else {
      view = await this.#pay(card);
      const mayPayAgain = view?.state === 'created' && view.attempts.used > 0;
      if (habit === 'tries another card' && mayPayAgain) view = await this.#pay(GOOD_CARD);
    }
    const outcome = String(view?.state ?? 'unknown');
    this.#recorder.purchases.push({ at: startedAt, ms: elapsed(since), outcome });
    return outcome;
  }

  async #pay(number: string): Promise<View> {
    const { habit, email, rightEmail, sessionId, hostedUrl, clickAt = 0 } = this.#purchase;
    const before = await this.#ask('state');
    if (before?.state !== 'created' || !before.fields) return before;
    const methodToken = await this.#tokenFor(before, number);
    if (methodToken === undefined) return before;
    const methodType = number === APPLE_PAY ? APPLE_PAY : 'card';
    const clickAs = (typed: string) => ({
      claimId: randomUUID(),
      methodType,
      methodToken,
      amount: before.amount,
      couponId: before.coupon?.id,
      ...(!before.email.confirmed && { email: typed }),
    });
    const corrects = habit === 'corrects the email';
    const click = clickAs(corrects ? rightEmail : (before.email.value ?? email));
    // The page rejects the mistyped address, and the session stays payable with the same card.
    if (corrects && !before.email.confirmed) await this.#ask('pay', clickAs(email.replace('@', ' ')));
    await pause(Math.max(0, clickAt - performance.now()));
    this.#recorder.clicks.push({ sessionId, url: `${hostedUrl}/pay`, body: click });
    const clicked = this.#ask('pay', click);
    if (habit === 'double click') void this.#ask('pay', click);
    // On a busy machine, the cancel arrives between the claim and the call.
    if (habit === 'cancels at once') await this.#cancel();
    if (habit === 'closes the page') {
      // The script sends the click again when it has no response; a closed page does not.
      await Promise.race([clicked, pause(150)]);
      return undefined;
    }
    const answered = await clicked;
    // Another buyer has used up the coupon: the page now shows the price without it.
    if (answered?.claim === 'terms_changed' && this.#left() > 0) return this.#pay(number);
    return this.#follow(answered);
  }

  async #cancel(): Promise<void> {
    const view = await this.#ask('cancel', { requestId: randomUUID(), what: 'session' });
    if (view) this.#recorder.cancelled.push({ sessionId: this.#purchase.sessionId, at: now() });
  }

  async #follow(first: View): Promise<View> {
    const { habit } = this.#purchase;
    let view = first;
    let hasAnswered = false;
    while (view && !isOver(view) && performance.now() < this.#end) {
      if (view.state === 'requires_action' && view.challenge && !hasAnswered) {
        if (habit === 'abandons the challenge') return view;
        hasAnswered = true;
        const result = habit === 'fails the challenge' ? 'fail' : 'approve';
        const call = { method: 'POST', url: view.challenge.url, body: { result } } as const;
        await sendUntilAnswered(this.#recorder, call, this.#left());
        view = await this.#ask('challenge-complete', { requestId: randomUUID() });
      } else {
        await pause(POLL_MS);
        view = await this.#ask('state');
      }
    }
    return view;
  }

  async #tokenFor(view: View, number: string): Promise<string | undefined> {
    const account = new URL(view.fields.url).searchParams.get('account') ?? '';
    const expYear = new Date().getUTCFullYear() + 3;
    const body = { account, number, expMonth: 12, expYear, cvc: '123' };
    const { origin } = view.fields;
    const call =
      number === APPLE_PAY
        ? ({ method: 'POST', url: `${origin}/wallet-tokens`, body: { account, wallet: APPLE_PAY } } as const)
        : ({ method: 'POST', url: `${origin}/tokens`, body } as const);
    // Not recorded: only the rail receives card numbers.
    const silent = { exchanges: [] } as unknown as Recorder;
    return (await sendUntilAnswered(silent, call, this.#left())).body?.token;
  }

  /** @returns undefined if the page refused, or did not answer within the buyer's time-out */
  async #ask(path: string, body?: object): Promise<View> {
    const { hostedUrl, sessionId } = this.#purchase;
    const call = {
      method: body ? 'POST' : 'GET',
      url: `${hostedUrl}/${path}`,
      ...(body && { body }),
    } as const;
    const answer = await sendUntilAnswered(this.#recorder, call, body ? CLICK_WITHIN_MS : this.#left());
    if (answer.status !== 200) return undefined;
    const { state, version } = answer.body;
    this.#recorder.see({ sessionId, state, version });
    return answer.body;
  }

  #left(): number {
    return Math.max(0, this.#end - performance.now());
  }
}

/** True if the session is final, or payable again after a decline. */
function isOver(view: View): boolean {
  if (view.state === 'succeeded' || view.state === 'failed') return true;
  return view.state === 'created' && !view.openAttempt && !view.claimOpenUntil;
}
