/**
 * The page's view of a session, the same in the document, `/state`, the event stream and the responses to clicks. The
 * holder of the session's URL is the buyer, so the view contains nothing to hide from them. An hour after the
 * session's end the view omits email, payment method, invoice and the URL of the shop, which may contain a token.
 */
import type { Session } from '../../db/session/read/find-session.ts';
import { type Deduction, deductedFrom, deductionOf } from '../../domain/catalogue/coupon.ts';
import type { Environment } from '../../domain/core/environment.ts';
import type { Currency } from '../../domain/core/money.ts';
import { unprintable } from '../../domain/core/printable.ts';
import type { MethodType } from '../../domain/payment/payment-method.ts';
import type { SessionFailureReason, SessionKind, SessionState } from '../../domain/session/session.ts';
import { isFinal } from '../../domain/session/session.ts';
import type { RailPublicConfig } from '../../rail/card-fields.ts';

/** A finished session shows less after this time, because its URL stays in histories and mailboxes. */
const TELLS_LESS_AFTER_MS = 3_600_000;
/** How long the redirect to the shop waits for the webhook's delivery. */
const REDIRECT_TIMEOUT_MS = 5_000;

export interface Recurring {
  readonly interval: 'day' | 'week' | 'month' | 'year';
  readonly intervalCount: number;
}

export interface RecurringPrice extends Recurring {
  readonly trialDays: number | null;
  /** Number of payments after which the subscription ends; null without a limit. */
  readonly billingCycles: number | null;
  /** True if the buyer has had the product's trial, so that the price applies. */
  readonly trialUsed: boolean;
}

interface CouponView {
  readonly id: string;
  readonly code: string;
  readonly deduction: Deduction;
  /** Number of charges that the coupon reduces; null for all of them. */
  readonly charges: number | null;
}

interface QuantityChoice {
  readonly min: number;
  readonly max: number;
}

export interface PageView {
  readonly kind: SessionKind;
  readonly state: SessionState;
  readonly failureReason: SessionFailureReason | null;
  readonly version: number;
  readonly environment: Environment;
  /** The database's clock, which decides about expiry; the browser's may be wrong. */
  readonly serverTime: string;
  readonly expiresAt: string;
  readonly merchant: {
    readonly name: string;
    readonly logoUrl: string | null;
    /** Legal name and address. */
    readonly contact: readonly string[];
    /** Where the merchant answers buyers' questions. */
    readonly support: {
      readonly email: string | null;
      readonly url: string | null;
      readonly phone: string | null;
    };
  };
  readonly product: {
    readonly name: string;
    readonly description: string | null;
    readonly image: { readonly url: string; readonly width: number; readonly height: number } | null;
  };
  /** The amount charged now, in cents; 0 for a trial. */
  readonly amount: number;
  readonly quantity: number;
  /** The quantities that the buyer may choose; null if the quantity is fixed. */
  readonly quantityChoice: QuantityChoice | null;
  readonly currency: Currency;
  /** The coupon, already deducted from `amount` but not from `price`; null without a coupon. */
  readonly coupon: CouponView | null;
  /** True if the buyer may enter a code, or remove the coupon that a code gave. */
  readonly takesCodes: boolean;
  /** `amount` is the price of the whole quantity. */
  readonly price: {
    readonly amount: number;
    readonly taxRate: number;
    readonly recurring: RecurringPrice | null;
  };
  /** The subscription whose method is changed; null for a purchase. */
  readonly methodChange: MethodChangeView | null;
  /** The state of the invoice that a payment link pays; null for other sessions. */
  readonly link: Session['link'];
  readonly email: { readonly required: boolean; readonly confirmed: boolean; readonly value: string | null };
  /** The buyer's name if invoices cannot print it and the page asks for another spelling; else null. */
  readonly nameToSpell: string | null;
  readonly attempts: { readonly used: number; readonly max: number };
  /** The outcome of the last attempt, unless it succeeded. */
  readonly lastFailure: { readonly status: 'failed' | 'cancelled'; readonly code: string | null } | null;
  readonly methods: readonly MethodType[];
  /** True if the rail simulates its wallets: every device can use them, and the page labels them as simulated. */
  readonly simulatedWallets: boolean;
  readonly preselectedMethod: string | null;
  /** True if the card processor does not answer, or is paused: a click would be rejected. */
  readonly railIsOut: boolean;
  readonly fields: { readonly url: string; readonly origin: string } | null;
  /**
   * The open attempt. `claimId` lets a tab recognize its own attempt; `called` is true once it was sent to the rail.
   */
  readonly openAttempt: {
    readonly attemptId: string;
    readonly claimId: string;
    readonly called: boolean;
  } | null;
  readonly challenge: { readonly url: string; readonly expiresAt: string | null } | null;
  /** Until when a stored click may still create an attempt. */
  readonly claimOpenUntil: string | null;
  readonly cancelling: boolean;
  /** Where the buyer returns to; `ready` once the webhook was delivered or its time limit has passed. */
  readonly redirect: { readonly url: string; readonly ready: boolean } | null;
  /** Present once the session has ended, and while its outcome is in doubt. */
  readonly receipt: Receipt | null;
}

interface Receipt {
  /** When the session ended; while the outcome is in doubt, when the last attempt was made. */
  readonly at: string | null;
  readonly reference: string;
  readonly card: { readonly brand: string | null; readonly last4: string } | null;
  readonly email: string | null;
  readonly invoiceUrl: string | null;
}

export interface MethodChangeView {
  readonly current: { readonly brand: string; readonly last4: string } | null;
  /** The outstanding amount in cents, charged to the new method immediately. */
  readonly due: number;
  /** The charge at the end of the period; null if the subscription ends or pauses then. */
  readonly next: { readonly amount: number; readonly recurring: Recurring } | null;
  readonly periodEnd: string;
  /** True if the subscription is paused, or will be at the end of the period, without an end date. */
  readonly pauses: boolean;
  /** True if superseded by a newer method change, or the subscription has ended. */
  readonly over: boolean;
}

export function toView(session: Session, fields: RailPublicConfig | null, publicUrl: string): PageView {
  const { terms, account, last_attempt: last } = session;
  const finished = isFinal(session.state);
  const open = last !== null && (last.status === 'processing' || last.status === 'requires_action');
  const tellsLess = finished && (session.ms_since_finish ?? 0) >= TELLS_LESS_AFTER_MS;
  const returnUrl = session.state === 'succeeded' ? session.success_url : session.fail_url;
  const backUrl = tellsLess ? null : returnUrl;
  const { recurring } = terms.price;
  return {
    kind: session.method_change ? 'methodChange' : 'purchase',
    state: session.state,
    failureReason: session.failure_reason,
    version: session.version,
    environment: session.environment,
    serverTime: session.server_time,
    expiresAt: session.expires_at,
    merchant: {
      name: terms.merchant.name,
      logoUrl: httpsOnly(terms.merchant.branding.logo_url),
      contact: contactOf(terms.merchant.legal_identity),
      support: supportOf(terms.merchant),
    },
    product: {
      name: terms.product.name,
      description: terms.product.description,
      image: imageOf(terms.product.image, publicUrl),
    },
    amount: session.amount,
    quantity: session.quantity,
    quantityChoice: session.state === 'created' ? terms.product.quantity : null,
    currency: session.currency,
    coupon: session.coupon && couponView(session.coupon),
    takesCodes: session.state === 'created' && terms.takes_codes === true,
    price: {
      amount: terms.price.amount * session.quantity,
      taxRate: terms.price.tax_rate,
      recurring: recurring && {
        interval: recurring.interval,
        intervalCount: recurring.interval_count,
        trialDays: recurring.trial_period_days,
        billingCycles: recurring.billing_cycles ?? null,
        trialUsed: recurring.trial_used ?? false,
      },
    },
    methodChange: session.method_change && methodChangeView(session.method_change, tellsLess),
    link: session.link,
    email: finished
      ? { required: false, confirmed: session.email_confirmed, value: null }
      : { required: session.email === null, confirmed: session.email_confirmed, value: session.email },
    nameToSpell: finished || unprintable(session.name ?? '') === undefined ? null : session.name,
    attempts: { used: session.attempts_used, max: session.max_attempts },
    lastFailure:
      last?.status === 'failed' || last?.status === 'cancelled'
        ? { status: last.status, code: last.failure_code }
        : null,
    methods: finished || !fields ? [] : ['card', ...account.capabilities.wallets],
    simulatedWallets: fields?.simulatedWallets ?? false,
    preselectedMethod: tellsLess ? null : session.preselected_method,
    railIsOut: session.rail_is_out && session.state === 'created',
    fields: fields && !finished ? { url: fields.fieldsUrl, origin: fields.fieldsOrigin } : null,
    openAttempt:
      open && !tellsLess ? { attemptId: last.payment_id, claimId: last.claim_id, called: last.called } : null,
    challenge:
      session.state === 'requires_action' && last?.challenge_url
        ? { url: last.challenge_url, expiresAt: last.challenge_expires_at }
        : null,
    claimOpenUntil: session.state === 'created' ? session.claim_open_until : null,
    cancelling: session.cancelling,
    redirect:
      backUrl && /^https?:/i.test(backUrl)
        ? {
            url: backUrl,
            ready:
              finished &&
              (!session.events_on_their_way || (session.ms_since_finish ?? 0) >= REDIRECT_TIMEOUT_MS),
          }
        : null,
    receipt:
      finished || session.state === 'reconciliation_required'
        ? receiptOf(session, tellsLess, publicUrl)
        : null,
  };
}

/** Returns the view with the quantity that the buyer chose. Only a purchase at the product's own price has a choice. */
export function withQuantity(view: PageView, quantity: number): PageView {
  const { quantityChoice: choice, price } = view;
  if (!choice || quantity === view.quantity || quantity < choice.min || quantity > choice.max) return view;
  const chosen = {
    ...view,
    quantity,
    price: { ...price, amount: (price.amount / view.quantity) * quantity },
  };
  return { ...chosen, amount: price.recurring?.trialDays ? 0 : reducedPrice(chosen) };
}

/** The price after the coupon's deduction. */
export function reducedPrice({ price, coupon }: Pick<PageView, 'price' | 'coupon'>): number {
  return price.amount - (coupon ? deductedFrom(price.amount, coupon.deduction) : 0);
}

function couponView(coupon: NonNullable<Session['coupon']>): CouponView {
  const charges = { once: 1, repeating: coupon.periods, forever: null }[coupon.duration];
  return { id: coupon.id, code: coupon.code, deduction: deductionOf(coupon), charges };
}

function receiptOf(session: Session, tellsLess: boolean, publicUrl: string): Receipt {
  const { id, finished_at, last_attempt, email, sale } = session;
  const { brand = null, last4 } = last_attempt?.card ?? {};
  return {
    at: finished_at ?? last_attempt?.at ?? null,
    reference: sale?.order_id ?? id,
    card: last4 && !tellsLess ? { brand, last4 } : null,
    email: sale && !tellsLess ? email : null,
    invoiceUrl: sale?.pdf_token && !tellsLess ? `${publicUrl}/invoices/${sale.pdf_token}.pdf` : null,
  };
}

function contactOf({ name, address_lines }: Session['terms']['merchant']['legal_identity']): string[] {
  return [name ?? '', ...(address_lines ?? [])].filter(Boolean);
}

function imageOf(
  image: Session['terms']['product']['image'],
  publicUrl: string,
): PageView['product']['image'] {
  if (!image) return null;
  const { name, width, height } = image;
  return { url: `${new URL(publicUrl).pathname.replace(/\/$/, '')}/pay/images/${name}`, width, height };
}

function supportOf({
  support_email: email = null,
  support_url: url = null,
  support_phone: phone = null,
}: Session['terms']['merchant']): PageView['merchant']['support'] {
  return { email, url, phone };
}

/** Returns null for an http logo: an https page blocks it, and its request would reveal that the page was opened. */
function httpsOnly(url: string | null | undefined): string | null {
  return url?.startsWith('https://') ? url : null;
}

function methodChangeView(
  change: NonNullable<Session['method_change']>,
  tellsLess: boolean,
): MethodChangeView {
  const { current, due, next, period_end, pauses, over } = change;
  const { brand, last4 } = current ?? {};
  return {
    current: brand && last4 && !tellsLess ? { brand, last4 } : null,
    due,
    next: next && {
      amount: next.amount,
      recurring: { interval: next.interval, intervalCount: next.interval_count },
    },
    periodEnd: period_end,
    pauses,
    over,
  };
}
