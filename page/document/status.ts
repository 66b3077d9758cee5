/**
 * The message shown instead of the form, and the notice above the form. Pure: the server renders the first view, the
 * browser every later one. No message states a failure, or that nothing was charged, before the view does.
 */
import type { PageStrings } from './strings/method-change/shape.ts';
import type { PageView } from './view.ts';
import { fill, money, plural, type Words } from './words.ts';

/** Facts known only to this tab. */
export interface Tab {
  /** A click in this tab made the open attempt. */
  readonly mine: boolean;
  /** This tab sent a click whose outcome is unknown. */
  readonly unknown: boolean;
  /** The session was final when this tab opened it. */
  readonly openedFinished: boolean;
  /** This device came back from the bank, but another device is paying. */
  readonly forAnother: boolean;
  /** The session has expired by the server's clock. */
  readonly timeOver: boolean;
}

export const NEW_TAB: Tab = {
  mine: false,
  unknown: false,
  openedFinished: false,
  forAnother: false,
  timeOver: false,
};

export interface Status {
  /** `wait`: the outcome is unknown; `busy`: in progress; `action`: the buyer must act. */
  readonly tone: 'busy' | 'action' | 'wait' | 'success' | 'failure';
  readonly title: string;
  readonly body: string;
}

/** Returns the message; null if the session is payable and the form is shown instead. */
export function statusOf(words: Words, view: PageView, tab: Tab): Status | null {
  const { strings } = words;
  const cents = view.methodChange?.due ?? view.amount;
  const values = { merchant: view.merchant.name, amount: money(words, cents, view.currency) };
  const status = (tone: Status['tone'], title: string, body: string): Status => ({
    tone,
    title: fill(title, values),
    body: fill(body, values),
  });
  switch (view.state) {
    case 'succeeded':
      if (tab.forAnother) return status('success', strings.confirmedTitle, strings.confirmedBody);
      if (view.amount === 0 && !isFreeByCoupon(view))
        return status('success', strings.trialTitle, withoutCharge(strings, view));
      return tab.openedFinished
        ? status('success', strings.alreadyPaidTitle, strings.alreadyPaidBody)
        : status('success', strings.succeededTitle, strings.succeededBody);
    case 'failed':
      return status('failure', ...failureTexts(strings, view));
    case 'reconciliation_required':
      return status('wait', strings.reconciliationTitle, strings.reconciliationBody);
    case 'requires_action':
      if (view.cancelling) return status('busy', strings.cancellingTitle, strings.cancellingBody);
      return status('action', strings.challengeTitle, strings.challengeBody);
    case 'processing':
      if (view.cancelling) return status('busy', strings.cancellingTitle, strings.cancellingBody);
      return tab.mine
        ? status('busy', strings.processingTitle, strings.processingBody)
        : status('busy', strings.elsewhereTitle, strings.elsewhereBody);
    case 'created':
      if (view.methodChange?.over && strings.methodChange) {
        return status('failure', strings.methodChange.overTitle, strings.methodChange.overBody);
      }
      if (view.link === 'paid')
        return status('success', strings.paidElsewhereTitle, strings.paidElsewhereBody);
      if (view.link === 'over') return status('failure', strings.linkOverTitle, strings.linkOverBody);
      if (tab.unknown) return status('wait', strings.unknownTitle, strings.unknownBody);
      if (view.claimOpenUntil) return status('wait', strings.sentTitle, strings.sentBody);
      if (tab.timeOver) return status('busy', strings.expiredTitle, strings.expiringBody);
      return null;
  }
}

/** For a purchase that charges nothing: true if a coupon, not a trial, makes the first period free. */
function isFreeByCoupon({ coupon, price }: PageView): boolean {
  return coupon !== null && !price.recurring?.trialDays;
}

/** Returns the document's title, which includes the outcome. */
export function titleOf({ strings }: Words, { merchant }: PageView, status: Status | null): string {
  return status ? `${status.title} · ${merchant.name}` : fill(strings.pageTitle, { merchant: merchant.name });
}

/** Returns the text for a success without a charge: a trial, or a method change with its outstanding amount, if any. */
function withoutCharge({ methodChange: own, trialBody }: PageStrings, { methodChange }: PageView): string {
  return own && methodChange && methodChange.due > 0 ? own.changedAndDueBody : trialBody;
}

function failureTexts(strings: PageStrings, view: PageView): [title: string, body: string] {
  switch (view.failureReason) {
    case 'attempts_exhausted':
      return [strings.exhaustedTitle, strings.exhaustedBody];
    case 'cancelled':
      return [strings.cancelledTitle, strings.cancelledBody];
    case 'resolved_by_operator':
      return [strings.resolvedTitle, strings.resolvedBody];
    default:
      return [strings.expiredTitle, strings.expiredBody];
  }
}

export interface Notice {
  readonly title: string;
  readonly body: string;
}

/** Returns the notice for a rail that fails entirely: a click would be rejected. */
export function railNotice({ strings }: Words, view: PageView): Notice | null {
  return view.railIsOut ? { title: strings.railOutTitle, body: strings.railOutBody } : null;
}

/** Returns the notice after a failed attempt: the reason, that nothing was charged, and how many tries are left. */
export function declineNotice(words: Words, view: PageView): Notice | null {
  if (view.state !== 'created' || !view.lastFailure) return null;
  const { strings } = words;
  const { status, code } = view.lastFailure;
  const { declines } = strings;
  const known = code !== null && Object.hasOwn(declines, code) ? (code as keyof typeof declines) : null;
  const stopped = status === 'cancelled' || code === 'authentication_failed';
  return {
    title: stopped ? strings.notConfirmedTitle : strings.declinedTitle,
    body: [
      declines[known ?? (status === 'cancelled' ? 'cancelled' : 'card_declined')],
      plural(words, strings.attemptsLeft, view.attempts.max - view.attempts.used),
    ].join(' '),
  };
}
