/** The double's state of one Stripe account. */
import { randomBytes } from 'node:crypto';
import type { Interval } from '../../../../domain/core/calendar.ts';
import type { TestCard } from './cards.ts';

export interface DoubleAccount {
  readonly id: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly webhookSecret: string;
  enabled: boolean;
  /** The owner's dashboard settings. */
  readonly settings: AccountSettings;
  readonly customers: Map<string, DoubleCustomer>;
  readonly methods: Map<string, Method>;
  readonly intents: Map<string, Intent>;
  readonly prices: Map<string, BilledPrice>;
  /** Products without a price. */
  readonly products: UnpricedProduct[];
  readonly subscriptions: Map<string, BilledSubscription>;
  readonly pendingItems: PendingItem[];
  readonly refunds: Refund[];
  readonly disputes: Dispute[];
  readonly answers: Map<string, KeptAnswer>;
  /** Paths that fail once with a 500, which Stripe stores under the request's key. */
  readonly breakDowns: Set<string>;
  /** Paths that fail once with a 500 after the call has taken effect. */
  readonly lateBreakDowns: Set<string>;
  /** Webhook events in order. */
  readonly events: SentEvent[];
  /** Every movement of money: charges positive, refunds negative. */
  readonly ledger: { readonly reference: string; readonly amount: number }[];
}

export interface DoubleCustomer {
  readonly id: string;
  readonly metadata: Record<string, string>;
  readonly email?: string;
  readonly name?: string;
  /** The method charged by subscriptions without their own. */
  readonly method?: string;
  readonly balance?: number;
  /** Replaces fields of the returned object. */
  readonly with?: object;
}

export interface BilledPrice {
  readonly id: string;
  readonly name: string;
  readonly amount: number;
  readonly interval: Interval | null;
  readonly active: boolean;
  /** Created with a subscription, so that no list contains it. */
  readonly isInline?: boolean;
  /** Replaces fields of the returned object. */
  readonly with: object;
}

export interface BilledSubscription {
  readonly id: string;
  readonly customer: string;
  price: BilledPrice;
  readonly created: number;
  readonly anchor: number;
  readonly trialEnd: number | null;
  readonly method: string | null;
  status: string;
  metadata: Record<string, string>;
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  endedAt: number | null;
  comment: string | null;
  /** Cents of the current period's charge. */
  readonly refunded?: number;
  /** Replaces fields of the returned object. */
  with: object;
}

export interface UnpricedProduct {
  readonly id: string;
  readonly name: string;
  /** Replaces fields of the returned object. */
  readonly with?: object;
}

export interface PendingItem {
  readonly id: string;
  readonly customer: string;
}

interface AccountSettings {
  takesEuros: boolean;
  /** True if every payment intent is refused as invalid, without a reason that concerns its card. */
  refusesCards: boolean;
  storesCards: boolean;
  wallets: readonly ('apple_pay' | 'google_pay')[];
  /** Hosts registered for wallets. */
  domains: readonly string[];
  webhookUrls: readonly string[];
  /** Collections that the restricted key may not write, such as `customers`. */
  forbidden: readonly string[];
  /** Collections that the restricted key may not read. */
  unreadable: readonly string[];
  /** True if Stripe's responses go beyond its published description and must not be validated. */
  isAhead: boolean;
}

export interface Method {
  readonly id: string;
  readonly card: TestCard;
  readonly wallet: 'apple_pay' | 'google_pay' | null;
  customer: string | null;
  used: boolean;
  /** True for a SEPA debit instead of a card. */
  readonly isDebit?: boolean;
}

export interface Intent {
  readonly id: string;
  readonly kind: 'payment' | 'setup';
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly metadata: Record<string, string>;
  readonly customer: string | null;
  readonly futureUsage: string | null;
  method: string | null;
  status: string;
  returnUrl: string | null;
  failure: { readonly code: string; readonly decline_code?: string; readonly method: string | null } | null;
}

export interface Refund {
  readonly id: string;
  readonly intent: string;
  readonly amount: number;
  readonly created: number;
  readonly metadata: Record<string, string>;
  status: string;
  failureReason: string | null;
}

export interface Dispute {
  readonly id: string;
  readonly intent: string;
  readonly amount: number;
  readonly created: number;
  caseType: string;
  status: string;
}

interface KeptAnswer {
  readonly request: string;
  /** Absent while the first request is in progress. */
  answer?: { readonly status: number; readonly body: object };
}

export interface SentEvent {
  readonly rawBody: Buffer;
  readonly type: string;
}

export function newAccount(name: string): DoubleAccount {
  const random = () => randomBytes(12).toString('hex');
  return {
    id: `acct_${name}`,
    secretKey: `sk_test_${random()}`,
    publishableKey: `pk_test_${random()}`,
    webhookSecret: `whsec_${random()}`,
    enabled: true,
    settings: {
      takesEuros: true,
      refusesCards: false,
      storesCards: true,
      wallets: [],
      domains: [],
      webhookUrls: [],
      forbidden: [],
      unreadable: [],
      isAhead: false,
    },
    customers: new Map(),
    methods: new Map(),
    intents: new Map(),
    prices: new Map(),
    products: [],
    subscriptions: new Map(),
    pendingItems: [],
    refunds: [],
    disputes: [],
    answers: new Map(),
    breakDowns: new Set(),
    lateBreakDowns: new Set(),
    events: [],
    ledger: [],
  };
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

export function unixNow(): number {
  return Math.floor(Date.now() / 1_000);
}
