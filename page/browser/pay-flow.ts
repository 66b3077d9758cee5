/**
 * One click on "Pay": gets a token from the card fields, then repeats the same click until its outcome is
 * known. Only the view shows whether money moved.
 */
import { isFinal } from '../../domain/session/session.ts';
import type { ClickResult, PageErrorCode } from '../document/answers.ts';
import type { Notice } from '../document/status.ts';
import type { PageStrings } from '../document/strings/method-change/shape.ts';
import { newId, postUntilAnswered, type Settled } from './core/net.ts';
import { prove } from './core/proof.ts';
import type { Store } from './core/store.ts';
import { rememberClicks, rememberedClicks, rememberOpening } from './core/tab-storage.ts';
import type { PayForm } from './form.ts';

export interface Click {
  readonly claimId: string;
  /** Waiting for the token, solving a proof of work after declined cards, sent, or answered by the server. */
  phase: 'card' | 'proof' | 'sent' | 'accepted';
  sinceMs: number;
}

const FIELD_PROBLEMS: readonly PageErrorCode[] = ['email_required', 'email_invalid', 'name_unprintable'];

export class PayFlow {
  click: Click | null = null;
  /** True while a click was sent and has no clear response yet. */
  unknown = false;
  /** Why the last click did not create an attempt. */
  notice: Notice | null = null;
  readonly #store: Store;
  readonly #strings: PageStrings;
  readonly #claimIds: Set<string>;
  readonly #openedAt: string;

  constructor(store: Store, strings: PageStrings) {
    this.#store = store;
    this.#strings = strings;
    this.#claimIds = new Set(rememberedClicks());
    this.#openedAt = rememberOpening(store.view.serverTime);
    store.onChange(() => this.#endWhenOver());
  }

  /** Returns true if this tab has sent a click for this session, possibly before a reload. */
  get hasPaidHere(): boolean {
    return this.#claimIds.size > 0;
  }

  /** Returns true if the open attempt is this tab's. */
  get isMine(): boolean {
    const { openAttempt } = this.#store.view;
    return openAttempt !== null && this.#claimIds.has(openAttempt.claimId);
  }

  async pay(form: PayForm): Promise<void> {
    if (this.click) return;
    const quantity = form.readQuantity();
    if (quantity === null) return;
    const email = form.readEmail();
    if (email === null) return;
    const { amount, coupon } = this.#store.view;
    const click: Click = { claimId: newId(), phase: 'card', sinceMs: performance.now() };
    this.click = click;
    this.notice = null;
    this.#store.changed();
    const method = await form.readMethod(amount);
    if (!method) {
      this.#end();
      return this.#store.changed();
    }

    click.phase = 'sent';
    click.sinceMs = performance.now();
    this.#claimIds.add(click.claimId);
    rememberClicks(this.#claimIds);
    this.#store.changed();
    const send = (proof?: string) =>
      postUntilAnswered(
        'pay',
        {
          claimId: click.claimId,
          email,
          name: form.readName(),
          quantity,
          amount,
          couponId: coupon?.id,
          openedAt: this.#openedAt,
          ...method,
          keepsMethod: form.keepsMethod,
          proof,
        },
        () => this.click !== click || this.#hasArrived(click),
        () => this.#setUnknown(),
      );
    let answer = await send();
    if (answer?.kind === 'refused' && answer.puzzle)
      answer = await send(await this.#prove(click, answer.puzzle));
    if (this.click !== click) return;
    this.unknown = false;
    click.phase = 'accepted';
    if (answer?.kind === 'view') this.#store.accept(answer.view);
    this.#endUnlessClaimed(answer);
    this.#endWhenOver();
    this.#store.changed();
    // Only after this render, because until then the field is inert and cannot take focus.
    if (answer?.kind === 'refused') sayFieldProblem(answer.code, form, this.#strings);
  }

  /** Computes the proof of work that a click needs after declined cards; the click stays the same. */
  #prove(click: Click, puzzle: string): Promise<string> {
    click.phase = 'proof';
    this.unknown = false;
    this.#store.changed();
    return prove(puzzle).finally(() => {
      click.phase = 'sent';
      click.sinceMs = performance.now();
      this.#store.changed();
    });
  }

  /** Ends a click that did not create an attempt; the form shows the reason. */
  #endUnlessClaimed(answer: Settled | null): void {
    if (answer === null || (answer.kind === 'view' && answer.result === 'claimed')) return;
    this.notice =
      answer.kind === 'view' ? this.#notStarted(answer.result) : refusal(answer.code, this.#strings);
    this.#end();
  }

  #notStarted(result: ClickResult | undefined): Notice | null {
    const payable = this.#store.view.state === 'created' && result !== 'in_progress';
    if (payable && result === 'terms_changed')
      return { title: this.#strings.termsChangedTitle, body: this.#strings.termsChangedBody };
    if (payable && result === 'subscription_exists')
      return { title: this.#strings.subscribedTitle, body: this.#strings.subscribedBody };
    return payable ? { title: this.#strings.notStartedTitle, body: this.#strings.notStartedBody } : null;
  }

  #setUnknown(): void {
    this.unknown = true;
    this.#store.changed();
  }

  /** Returns true once the attempt was sent to the rail, or the session ended; until then the click may be repeated. */
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

/** Returns the notice for a rejected click; null if a field of the form shows the problem. */
function refusal(code: PageErrorCode, strings: PageStrings): Notice | null {
  if (FIELD_PROBLEMS.includes(code)) return null;
  if (code === 'rate_limited' || code === 'too_many_declines')
    return { title: strings.tooManyTitle, body: strings.tooManyBody };
  if (code === 'payment_rail_unavailable') return { title: strings.railOutTitle, body: strings.railOutBody };
  return { title: strings.notStartedTitle, body: strings.cardFieldsUnavailable };
}

function sayFieldProblem(code: PageErrorCode, form: PayForm, strings: PageStrings): void {
  if (code === 'email_required') form.showEmailProblem(strings.emailMissing);
  if (code === 'email_invalid') form.showEmailProblem(strings.emailInvalid);
  if (code === 'name_unprintable') form.showNameProblem(strings.nameUnprintable);
}
