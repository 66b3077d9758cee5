/** The page: views come in from the server, clicks from the buyer, and `render` shows what is. */
import { isFinal } from '../../domain/checkout.ts';
import type { BootData } from '../document.ts';
import { formWords } from '../form-words.ts';
import { isChangeOver } from '../method-change-words.ts';
import { declineNotice, statusOf } from '../status.ts';
import type { PageView } from '../view.ts';
import { fill, type Words } from '../words.ts';
import { ChallengeFlow } from './challenge-flow.ts';
import { countdown, serverNow } from './clock.ts';
import { ask } from './dialogs.ts';
import { byId, el } from './dom.ts';
import { type PayForm, payForm } from './form.ts';
import { leaveWhenReady } from './leave.ts';
import { follow } from './live.ts';
import { newId, post, untilAnswered } from './net.ts';
import { PayFlow } from './pay-flow.ts';
import { statusPanel } from './status-panel.ts';
import { Store } from './store.ts';

/** After this long without an answer the button says that it takes longer. */
const SLOW_MS = 8_000;

export function startApp({ view: firstView, language, locale, strings }: BootData): void {
  const words: Words = { strings, language, locale };
  const values = { merchant: firstView.merchant.name };
  const store = new Store(firstView);
  const pay = new PayFlow(store, strings);
  const challenge = new ChallengeFlow(store, words, pay);
  const cameBack = takeReturnMark();
  // Straight from the bank, into the tab that paid: the outcome is news here, however soon it was known.
  const openedFinished = isFinal(firstView.state) && !(cameBack && pay.hasPaidHere);
  let cancelledHere = false;
  let form: PayForm | undefined;
  let noticed = '';

  const banner = el('p', { class: 'banner', hidden: true, attributes: { role: 'status' } });
  const clock = countdown(words, () => {
    store.changed();
    live.refresh();
  });
  const status = statusPanel();
  const openChallenge = el(
    'button',
    { type: 'button', class: 'button', on: { click: () => challenge.open() } },
    strings.challengeOpen,
  );
  const backToShop = el('a', { class: 'button' }, fill(strings.returnToShop, values));
  byId('panel').replaceChildren(banner, status.element);
  sayTermsInLocalTime(words, firstView);

  const live = follow(
    (view) => store.accept(view),
    (connection) => {
      banner.hidden = connection === 'live';
      banner.textContent = connection === 'offline' ? strings.offline : strings.reconnecting;
    },
  );
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') live.refresh();
  });
  store.onChange(() => render(true));
  setInterval(() => pay.click && render(true), 1_000);
  render(false);
  resumeChallenge();

  function render(focus: boolean): void {
    const { view } = store;
    const timeOver = serverNow() >= Date.parse(view.expiresAt);
    const elsewhere = !pay.hasPaidHere;
    const told = statusOf(words, view, {
      mine: pay.isMine,
      unknown: pay.unknown,
      openedFinished: openedFinished || elsewhere,
      timeOver,
    });
    const payingHere =
      pay.click !== null && !pay.unknown && !view.cancelling && !cancelledHere && isPayingState();
    const showForm = told === null || payingHere;
    document.querySelector('.page')?.toggleAttribute('data-over', isChangeOver(view));

    const leaving =
      isFinal(view.state) && !openedFinished && (view.state === 'succeeded' ? !elsewhere : cancelledHere);
    const footnote = leaving && view.redirect ? fill(strings.redirecting, values) : null;
    status.show(showForm ? null : told, focus && !challenge.isOpen, actionsFor(), footnote);
    renderForm(showForm, focus);
    const clockPlace = showForm ? form?.head : status.element;
    if (clock.element.parentElement !== clockPlace) clockPlace?.append(clock.element);
    const waitsForBuyer = showForm ? view.state === 'created' : told.tone === 'action';
    clock.element.hidden = !waitsForBuyer || timeOver;
    clock.update(view.expiresAt);
    document.title =
      told && !showForm ? `${told.title} · ${view.merchant.name}` : fill(strings.pageTitle, values);
    if (leaving) leaveWhenReady(view.redirect);
    if (isFinal(view.state) && (view.redirect?.ready ?? true)) {
      live.stop();
      clock.stop();
    }
  }

  function renderForm(show: boolean, focus: boolean): void {
    if (show && !form) {
      form = payForm({
        words,
        view: store.view,
        onPay: () => form && void pay.pay(form),
        onCancel: () => void cancel(),
      });
      byId('panel').append(form.element);
    }
    if (!form) return;
    form.element.hidden = !show;
    if (!show) return;
    form.setBusy(busyText(), cancelledHere || (pay.click !== null && pay.click.phase !== 'card'));
    const notice = pay.click ? null : (pay.notice ?? declineNotice(words, store.view));
    const now = notice ? `${notice.title}${notice.body}${store.view.version}` : '';
    if (now !== noticed) form.setNotice(notice, focus && notice !== null);
    noticed = now;
  }

  function isPayingState(): boolean {
    return ['created', 'processing', 'requires_action'].includes(store.view.state);
  }

  function busyText(): string | null {
    if (cancelledHere) return strings.busyCancel;
    if (!pay.click) return null;
    if (pay.click.phase === 'card') return strings.busyCard;
    const slow = performance.now() - pay.click.sinceMs > SLOW_MS && store.view.state !== 'requires_action';
    return slow ? strings.busySlow : strings.busyBank;
  }

  function actionsFor(): HTMLElement[] {
    const { view } = store;
    if (view.state === 'requires_action' && !view.cancelling) return [openChallenge];
    if (!(isFinal(view.state) || isChangeOver(view)) || !view.redirect) return [];
    backToShop.href = view.redirect.url;
    return [backToShop];
  }

  async function cancel(): Promise<void> {
    if (pay.click || cancelledHere) return;
    const sure = await ask({
      title: strings.cancelTitle,
      body: strings.cancelBody,
      yes: strings.cancelConfirm,
      no: strings.cancelKeep,
    });
    if (!sure || isFinal(store.view.state)) return;
    cancelledHere = true;
    store.changed();
    const requestId = newId();
    const answer = await untilAnswered(
      () => post('cancel', { requestId, what: 'session' }),
      () => {},
      () => isFinal(store.view.state),
    );
    if (answer?.kind === 'refused') cancelledHere = false;
    if (answer?.kind === 'view') store.accept(answer.view);
    else store.changed();
  }

  function resumeChallenge(): void {
    if (store.view.state !== 'requires_action') return;
    if (cameBack) void challenge.complete();
    else store.changed();
  }
}

/** The bank's page was not framed, or was opened on its own: the buyer arrives here by its link, which says so. */
function takeReturnMark(): boolean {
  const address = new URL(location.href);
  if (!address.searchParams.has('returned')) return false;
  address.searchParams.delete('returned');
  history.replaceState(null, '', address);
  return true;
}

/** The server does not know the buyer's time zone; near midnight the day is another. */
function sayTermsInLocalTime(words: Words, view: PageView): void {
  const { terms } = formWords(words, view);
  if (terms) byId('terms').textContent = terms;
}
