/**
 * One click on "Pay": a token from the card fields, then the same claim sent until its fate is known. Nothing
 * here decides whether money moved: that is read from the view.
 */
import { isFinal } from '../../domain/checkout.ts';
import type { PageErrorCode } from '../routes/answer.ts';
import type { Notice } from '../status.ts';
import type { Strings } from '../strings/shape.ts';
import type { PayForm } from './form.ts';
import { rememberClaims, rememberedClaims } from './memory.ts';
import { type Answer, newId, post, untilAnswered } from './net.ts';
import type { Store } from './store.ts';

export interface Click {
  readonly claimId: string;
  /** `card`: getting the token; `sent`: on its way; `accepted`: the attempt exists. */
  phase: 'card' | 'sent' | 'accepted';
  sinceMs: number;
}

export class PayFlow {
  click: Click | null = null;
  /** It was sent, and there was no clear answer. */
  unknown = false;
  /** What the last click came to, when no attempt came of it. */
  notice: Notice | null = null;
  readonly #store: Store;
  readonly #strings: Strings;
  readonly #claims: Set<string>;

  constructor(store: Store, strings: Strings) {
    this.#store = store;
    this.#strings = strings;
    this.#claims = new Set(rememberedClaims(store.view.sessionId));
    store.onChange(() => this.#endWhenOver());
  }

  /** An attempt of this session was begun in this tab, before a reload perhaps. */
  get hasPaidHere(): boolean {
    return this.#claims.size > 0;
  }

  /** The attempt under way is this tab's. */
  get isMine(): boolean {
    const { openAttempt } = this.#store.view;
    return openAttempt !== null && this.#claims.has(openAttempt.claimId);
  }

  async pay(form: PayForm): Promise<void> {
    if (this.click) return;
    const email = form.readEmail();
    if (email === null) return;
    const click: Click = { claimId: newId(), phase: 'card', sinceMs: performance.now() };
    this.click = click;
    this.notice = null;
    this.#store.changed();
    const method = await form.readMethod();
    if (!method) {
      this.#end();
      return this.#store.changed();
    }

    click.phase = 'sent';
    click.sinceMs = performance.now();
    this.#claims.add(click.claimId);
    rememberClaims(this.#store.view.sessionId, this.#claims);
    this.#store.changed();
    const answer = await untilAnswered(
      () => post('pay', { claimId: click.claimId, email, ...method }),
      () => this.#nobodyKnows(),
      () => this.click !== click || this.#hasArrived(click),
    );
    if (this.click !== click) return;
    this.unknown = false;
    click.phase = 'accepted';
    if (answer?.kind === 'view') this.#store.accept(answer.view);
    this.#judge(answer);
    this.#endWhenOver();
    this.#store.changed();
    // Only now can the field take the focus again.
    if (answer?.kind === 'refused') sayEmailProblem(answer.code, form, this.#strings);
  }

  #judge(answer: Answer | null): void {
    if (answer === null || (answer.kind === 'view' && answer.claim === 'claimed')) return;
    if (answer.kind === 'view') {
      const payable = this.#store.view.state === 'created' && answer.claim !== 'joined';
      if (payable) this.notice = { title: this.#strings.lapsedTitle, body: this.#strings.lapsedBody };
    } else if (answer.kind === 'refused') {
      this.#sayRefusal(answer.code);
    }
    this.#end();
  }

  #sayRefusal(code: PageErrorCode): void {
    const strings = this.#strings;
    if (code === 'email_required' || code === 'email_invalid') return;
    if (code === 'rate_limited') this.notice = { title: strings.tooManyTitle, body: strings.tooManyBody };
    else this.notice = { title: strings.lapsedTitle, body: strings.cardFieldsUnavailable };
  }

  #nobodyKnows(): void {
    this.unknown = true;
    this.#store.changed();
  }

  /** The attempt was sent to the rail, or the session is over. One that was not sent may need this click again. */
  #hasArrived({ claimId }: Click): boolean {
    const { view } = this.#store;
    return isFinal(view.state) || (view.openAttempt?.claimId === claimId && view.openAttempt.called);
  }

  #endWhenOver(): void {
    const { click } = this;
    if (click?.phase !== 'accepted') return;
    if (this.#store.view.openAttempt?.claimId !== click.claimId) this.#end();
  }

  #end(): void {
    this.click = null;
    this.unknown = false;
  }
}

function sayEmailProblem(code: PageErrorCode, form: PayForm, strings: Strings): void {
  if (code === 'email_required') form.showEmailProblem(strings.emailMissing);
  if (code === 'email_invalid') form.showEmailProblem(strings.emailInvalid);
}
