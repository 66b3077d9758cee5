/** The page: receives views from the server and clicks from the buyer, and renders both. */
import { isFinal } from '../../domain/session/session.ts';
import { isChangeOver } from '../document/method-change-words.ts';
import type { BootData } from '../document/page.ts';
import { receiptOf } from '../document/receipt.ts';
import { declineNotice, railNotice, type Status, statusOf, titleOf } from '../document/status.ts';
import type { Words } from '../document/words.ts';
import { CancelFlow } from './cancel-flow.ts';
import { ChallengeFlow } from './challenge-flow.ts';
import { CodeField } from './code-field.ts';
import { announce } from './core/announce.ts';
import { countdown, serverNow } from './core/clock.ts';
import { button, byId, el } from './core/dom.ts';
import { leaveWhenReady } from './core/leave.ts';
import { type Connection, follow } from './core/live.ts';
import { lang } from './core/net.ts';
import { Store } from './core/store.ts';
import { rememberLanguage } from './core/tab-storage.ts';
import { PayForm } from './form.ts';
import { PayFlow } from './pay-flow.ts';
import { statusPanel } from './status-panel.ts';
import { showSummary } from './summary.ts';

/** After this long without a response, the button tells the buyer that the payment takes longer than usual. */
const SLOW_MS = 8_000;

export function startApp(boot: BootData): void {
  new App(boot).start();
}

class App {
  readonly #words: Words;
  readonly #store: Store;
  readonly #pay: PayFlow;
  readonly #challenge: ChallengeFlow;
  readonly #cancel: CancelFlow;
  readonly #code: CodeField;
  readonly #cameBack = takeReturnParameter();
  readonly #openedFinished: boolean;

  readonly #banner = el('p', { class: 'banner', hidden: true, attributes: { role: 'status' } });
  readonly #status = statusPanel();
  readonly #clock: ReturnType<typeof countdown>;
  readonly #openChallenge: HTMLElement;
  readonly #backToShop: HTMLAnchorElement;
  #form: PayForm | undefined;
  /** The notice that the form shows, remembered so that it is announced only once. */
  #noticed = '';
  #live: ReturnType<typeof follow> | undefined;

  constructor({ view, language, locale, strings }: BootData) {
    this.#words = { strings, language, locale };
    this.#store = new Store(view);
    this.#pay = new PayFlow(this.#store, strings);
    this.#challenge = new ChallengeFlow(this.#store, strings, this.#pay);
    this.#cancel = new CancelFlow(this.#store, strings);
    this.#code = new CodeField(this.#words, this.#store);
    // A tab that paid and now returns from the bank announces the outcome, even if the document already showed it.
    this.#openedFinished = isFinal(view.state) && !(this.#cameBack && this.#pay.hasPaidHere);
    this.#clock = countdown(this.#words, () => {
      this.#store.changed();
      this.#live?.refresh();
    });
    this.#openChallenge = button(
      'button',
      () => {
        this.#challenge.open();
        this.#render(false);
      },
      strings.challengeOpen,
    );
    this.#backToShop = el('a', { class: 'button' }, strings.returnToShop);
  }

  start(): void {
    byId('panel').replaceChildren(this.#banner, this.#status.element);
    rememberLanguage(lang);
    const live = follow(
      (view) => this.#store.accept(view),
      (connection) => this.#showConnection(connection),
    );
    this.#live = live;
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') live.refresh();
    });
    this.#store.onChange(() => this.#render(true));
    setInterval(() => this.#pay.click && this.#render(true), 1_000);
    this.#render(false);
    this.#resumeChallenge();
  }

  #resumeChallenge(): void {
    if (this.#store.view.state !== 'requires_action') return;
    if (this.#cameBack) void this.#challenge.complete();
    else this.#store.changed();
  }

  #showConnection(connection: Connection): void {
    const { offline, reconnecting } = this.#words.strings;
    this.#banner.hidden = connection === 'live';
    this.#banner.textContent = connection === 'offline' ? offline : reconnecting;
  }

  /** @param focus moves focus to new content */
  #render(focus: boolean): void {
    const { view } = this.#store;
    const timeOver = serverNow() >= Date.parse(view.expiresAt);
    const status = this.#statusOf(timeOver);
    const instead = this.#isPayingHere() ? null : status;
    document.querySelector('.page')?.toggleAttribute('data-over', isChangeOver(view));
    showSummary(this.#words, view);
    if (instead) this.#cancel.close();
    this.#renderStatus(instead, focus);
    this.#code.show(instead === null, this.#pay.click !== null || this.#cancel.confirmed);
    this.#renderForm(instead === null, focus);
    this.#renderClock(instead);
    document.title = titleOf(this.#words, view, instead);
    if (this.#isLeaving()) leaveWhenReady(view.redirect);
    if (isFinal(view.state) && (view.redirect?.ready ?? true)) {
      this.#live?.stop();
      this.#clock.stop();
    }
  }

  #statusOf(timeOver: boolean): Status | null {
    const { isMine: mine, unknown, hasPaidHere } = this.#pay;
    const openedFinished = this.#openedFinished || !hasPaidHere;
    const forAnother = this.#cameBack && !hasPaidHere;
    return statusOf(this.#words, this.#store.view, { mine, unknown, openedFinished, forAnother, timeOver });
  }

  /** Returns true while this tab pays: the form stays visible, and its button shows the progress. */
  #isPayingHere(): boolean {
    const { state, cancelling } = this.#store.view;
    const { click, unknown } = this.#pay;
    if (click === null || unknown || cancelling || this.#cancel.confirmed) return false;
    return ['created', 'processing', 'requires_action'].includes(state);
  }

  #isLeaving(): boolean {
    const { state } = this.#store.view;
    if (!isFinal(state) || this.#openedFinished) return false;
    return state === 'succeeded' ? this.#pay.hasPaidHere : this.#cancel.confirmed;
  }

  #renderStatus(status: Status | null, focus: boolean): void {
    const footnote = this.#isLeaving() && this.#store.view.redirect ? this.#words.strings.redirecting : null;
    this.#status.show(status, focus && !this.#challenge.isOpen, {
      actions: this.#actions(),
      footnote,
      receipt: receiptOf(this.#words, this.#store.view, status?.tone),
    });
  }

  #actions(): HTMLElement[] {
    const { view } = this.#store;
    if (view.state === 'requires_action' && !view.cancelling) return [this.#openChallenge];
    if (!(isFinal(view.state) || isChangeOver(view)) || !view.redirect) return [];
    this.#backToShop.href = view.redirect.url;
    return [this.#backToShop];
  }

  /** Shows or hides the form. Its card fields load when it is first shown, and never again. */
  #renderForm(show: boolean, focus: boolean): void {
    if (show && !this.#form) this.#form = this.#newForm();
    const form = this.#form;
    if (!form) return;
    form.element.hidden = !show;
    if (!show) {
      if (this.#noticed) form.setNotice(null, false);
      this.#noticed = '';
      return;
    }
    const { click, notice: fromClick } = this.#pay;
    const { view } = this.#store;
    form.showPrice(view);
    form.setBusy(this.#busyTexts(), this.#cancel.confirmed || (click !== null && click.phase !== 'card'));
    const fromRail = railNotice(this.#words, view);
    const notice = click ? null : (fromClick ?? fromRail ?? declineNotice(this.#words, view));
    const now = notice ? `${notice.title}. ${notice.body}` : '';
    if (now === this.#noticed) return;
    this.#noticed = now;
    // The rail's notice appears without a click, perhaps while the buyer types.
    const interrupts = notice !== null && notice === fromRail;
    form.setNotice(notice, focus && !interrupts);
    if (focus && interrupts) announce(now);
  }

  #newForm(): PayForm {
    const form: PayForm = new PayForm({
      words: this.#words,
      view: this.#store.view,
      onPay: () => {
        if (!this.#cancel.confirmed) void this.#pay.pay(form);
      },
      onCancel: () => {
        if (!this.#pay.click) void this.#cancel.cancel();
      },
      onQuantity: (quantity) => this.#store.choose(quantity),
    });
    byId('panel').append(form.element);
    return form;
  }

  /** Returns the button's text and the hint beneath it. */
  #busyTexts(): readonly [text: string | null, hint?: string] {
    const { busyCancel, busyCard, busyProof, busyProofHint, busySlow, busySlowHint, busyBank } =
      this.#words.strings;
    const { click } = this.#pay;
    if (this.#cancel.confirmed) return [busyCancel];
    if (!click) return [null];
    if (click.phase === 'card') return [busyCard];
    if (click.phase === 'proof') return [busyProof, busyProofHint];
    const slow = performance.now() - click.sinceMs > SLOW_MS && this.#store.view.state !== 'requires_action';
    return slow ? [busySlow, busySlowHint] : [busyBank];
  }

  #renderClock(status: Status | null): void {
    const { state, expiresAt } = this.#store.view;
    const { element } = this.#clock;
    const { title } = this.#challenge;
    const place = title?.parentElement ?? (status ? this.#status.element : this.#form?.head);
    if (element.parentElement !== place) {
      if (title) title.after(element);
      else place?.append(element);
    }
    const waitsForBuyer = title !== null || (status ? status.tone === 'action' : state === 'created');
    this.#clock.update(expiresAt, waitsForBuyer);
  }
}

/** Removes `returned` from the address. Returns true if it was there: the bank redirected the tab, not its frame. */
function takeReturnParameter(): boolean {
  const address = new URL(location.href);
  if (!address.searchParams.has('returned')) return false;
  address.searchParams.delete('returned');
  history.replaceState(null, '', address);
  return true;
}
