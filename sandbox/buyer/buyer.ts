/** A headless buyer: acts like the page's script, with a test card of the sandbox rail. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isFound, PROOF_PARTS, proofText } from '../../domain/session/card-testing.ts';
import { isFinal, type SessionFailureReason, type SessionState } from '../../domain/session/session.ts';
import type { PageView } from '../../page/document/view.ts';

export interface BuyerWishes {
  readonly hostedUrl: string;
  /** By default, a card that is approved. */
  readonly card?: string | undefined;
  /** By default `buyer@example.com`. */
  readonly email?: string | undefined;
  /** By default `approve`. */
  readonly challenge?: 'approve' | 'fail' | 'abandon' | undefined;
  /** 60 by default. */
  readonly timeoutSeconds?: number | undefined;
}

export interface BuyerReport {
  readonly state: SessionState | 'unknown';
  readonly failureReason: SessionFailureReason | null;
  readonly attempts: number;
  /** The page's redirect target for the buyer; null until the session is final. */
  readonly redirectUrl: string | null;
}

export interface BuyerOutcome {
  readonly report: BuyerReport;
  /** Why the purchase stopped, as text. */
  readonly problem: string | null;
}

const RETRY_MS = 250;
const PROOF_REQUIRED = 428;

export async function payAsBuyer(wishes: BuyerWishes): Promise<BuyerOutcome> {
  const buyer = new Buyer(wishes);
  try {
    await buyer.pay();
    return { report: buyer.report(), problem: null };
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
    return { report: buyer.report(), problem: error.message };
  }
}

class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

class Buyer {
  readonly #wishes: { readonly [Name in keyof BuyerWishes]-?: NonNullable<BuyerWishes[Name]> };
  readonly #base: string;
  readonly #deadlineMs: number;
  #view: PageView | null = null;

  constructor({
    hostedUrl,
    card = '4242424242424242',
    email = 'buyer@example.com',
    challenge = 'approve',
    timeoutSeconds = 60,
  }: BuyerWishes) {
    this.#wishes = { hostedUrl, card, email, challenge, timeoutSeconds };
    this.#base = new URL(hostedUrl).href.replace(/[?#].*$/, '').replace(/\/$/, '');
    this.#deadlineMs = performance.now() + timeoutSeconds * 1_000;
  }

  report(): BuyerReport {
    const view = this.#view;
    return {
      state: view?.state ?? 'unknown',
      failureReason: view?.failureReason ?? null,
      attempts: view?.attempts.used ?? 0,
      redirectUrl: view && isFinal(view.state) ? (view.redirect?.url ?? null) : null,
    };
  }

  async pay(): Promise<void> {
    const before = await this.#ask('state');
    if (before.state !== 'created') return;
    const methodToken = await this.#tokenFor(before);
    const { confirmed } = before.email;
    const click = {
      claimId: randomUUID(),
      methodType: 'card',
      methodToken,
      amount: before.amount,
      couponId: before.coupon?.id,
      ...(!confirmed && { email: before.email.value ?? this.#wishes.email }),
    };
    let view = await this.#ask('pay', click);
    let answered = false;
    while (!isOver(view)) {
      if (view.state === 'requires_action' && this.#wishes.challenge === 'abandon') return;
      if (view.state === 'requires_action' && view.challenge && !answered) {
        answered = true;
        await this.#answerChallenge(view.challenge.url);
        view = await this.#ask('challenge-complete', { requestId: randomUUID() });
      } else {
        await pause(RETRY_MS);
        view = await this.#ask('state');
      }
    }
  }

  /** Requests a card token from the rail, as its card fields would. */
  async #tokenFor({ fields }: PageView): Promise<string> {
    if (!fields) throw new GivenUp('The session cannot be paid: it has no card fields.');
    const account = new URL(fields.url).searchParams.get('account') ?? '';
    const expYear = new Date().getUTCFullYear() + 3;
    const card = { account, number: this.#wishes.card, expMonth: 12, expYear, cvc: '123' };
    const response = await this.#send(`${fields.origin}/tokens`, card);
    const body = (await response.json()) as { token?: string; message?: string; code?: string };
    if (!body.token)
      throw new GivenUp(`The rail refused the card: ${body.message ?? body.code ?? response.status}`);
    return body.token;
  }

  /** Answers as a buyer would on the bank's page. Its redirect carries no outcome and is not followed. */
  async #answerChallenge(url: string): Promise<void> {
    const response = await this.#send(url, { result: this.#wishes.challenge });
    if (response.status >= 400) throw new GivenUp(`The challenge was not accepted: ${response.status}`);
  }

  /** Repeats a request, with the same id, until it is answered; with a proof of work once one is required. */
  async #ask(path: string, body?: object): Promise<PageView> {
    for (let proof: { proof?: string } = {}; ; ) {
      try {
        const response = await this.#send(`${this.#base}/${path}`, body && { ...body, ...proof });
        if (response.ok) {
          this.#view = (await response.json()) as PageView;
          return this.#view;
        }
        const answer = (await response.json()) as { message?: string; challenge?: string };
        if (response.status === PROOF_REQUIRED && answer.challenge && !proof.proof) {
          proof = { proof: prove(answer.challenge) };
          continue;
        }
        if (response.status < 500 && response.status !== 429) {
          throw new GivenUp(`${response.status}: ${answer.message ?? 'refused'}`);
        }
      } catch (error) {
        if (!isLostAnswer(error)) throw error;
        this.#assertTime();
      }
      await pause(RETRY_MS);
    }
  }

  #send(url: string, body?: object): Promise<Response> {
    this.#assertTime();
    return fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(Math.max(1, Math.ceil(this.#deadlineMs - performance.now()))),
    });
  }

  #assertTime(): void {
    if (performance.now() >= this.#deadlineMs) {
      throw new GivenUp(`No outcome within ${this.#wishes.timeoutSeconds} s.`);
    }
  }
}

function prove(puzzle: string): string {
  return Array.from({ length: PROOF_PARTS }, (_, part) => search(puzzle, part)).join('.');
}

function search(puzzle: string, part: number): number {
  for (let found = 0; ; found++) {
    const text = proofText(puzzle, part, found);
    if (isFound(createHash('sha256').update(text).digest())) return found;
  }
}

/** Whether the session is final, or payable again after a decline. */
function isOver(view: PageView): boolean {
  return isFinal(view.state) || (view.state === 'created' && !view.openAttempt && !view.claimOpenUntil);
}

/** True for a lost connection, a time-out or a body that is not JSON. Compares names: realms have their own classes. */
function isLostAnswer(error: unknown): boolean {
  return ['TypeError', 'SyntaxError', 'TimeoutError', 'AbortError'].includes((error as Error).name);
}
