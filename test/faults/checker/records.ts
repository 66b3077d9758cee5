/**
 * Outside observations of a run of the fault harness, the checker's only input. Plain data: it is saved as
 * JSON and checked again later. The field names are those of the API and of the sandbox rail.
 */

/** One HTTP exchange from the client's view. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly body: string | null;
  readonly sentAt: string;
  readonly answeredAt: string;
  /** 0 without a response. */
  readonly status: number;
  readonly answer: string | null;
}

/** A session's state as a buyer's page showed it. */
export interface Seen {
  readonly sessionId: string;
  readonly at: string;
  readonly state: string;
  readonly version: number;
}

/** A page's response to the buyer's request to cancel. */
export interface Cancelled {
  readonly sessionId: string;
  readonly at: string;
}

export interface LedgerEntry {
  readonly reference: string;
  readonly operation: string;
  readonly amount: number;
  readonly currency: string;
  readonly outcome: string;
  readonly at: string;
}

export interface RailRequest {
  readonly operation: string;
  readonly reference: string | null;
  /** Refused without effect, to be retried. Absent in records of older runs. */
  readonly busy?: boolean;
  readonly at: string;
}

/** The rail's answer about a charge. */
export interface RailCharge {
  readonly reference: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
}

/** A refund as the rail lists it. */
export interface RailRefund {
  readonly reference: string;
  readonly chargeReference: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
}

/**
 * A dispute as the rail lists it; its own id never leaves the service, so that disputes are matched by their charge.
 */
export interface RailDispute {
  readonly reference: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly createdAt: string;
}

/** A request at the merchant's endpoint, with the receiver's own verdict on the signature. */
export interface Received {
  readonly at: string;
  readonly eventId: string;
  readonly type: string;
  readonly rawBody: string;
  readonly isSigned: boolean;
  /** The status of the receiver's response; 0 without a response. */
  readonly answered: number;
}

export interface Session {
  readonly id: string;
  readonly state: string;
  readonly failure_reason: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly order_id: string | null;
  readonly payment_id: string | null;
  readonly subscription_id: string | null;
  readonly coupon: { readonly id: string; readonly code: string; readonly discount: number } | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** A coupon, with the number of sessions that the service counts as its redemptions. */
export interface Coupon {
  readonly id: string;
  readonly code: string;
  readonly percent: number | null;
  readonly amount: number | null;
  readonly duration: string;
  readonly periods: number | null;
  readonly max_redemptions: number | null;
  readonly redemptions: number;
}

export interface Payment {
  readonly id: string;
  readonly order_id: string | null;
  readonly rail: string | null;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
}

interface Order {
  readonly id: string;
  /** `subscription`: a period after the first. */
  readonly source: string;
  readonly status: string;
  readonly amount: number;
  readonly payment_id: string | null;
  readonly line_items: readonly LineItem[];
}

/** A line of an order or an invoice. */
export interface LineItem {
  /** The product's name; of a discount, the coupon's code. */
  readonly description: string;
  readonly quantity: number;
  readonly unit_amount: number;
  readonly amount: number;
}

interface Invoice {
  readonly id: string;
  readonly number: string | null;
  readonly order_id: string | null;
  readonly subscription_id: string | null;
  readonly status: string;
  readonly amount_due: number;
  readonly line_items: readonly LineItem[];
}

/** A subscription as the dashboard shows it, with its clock. */
export interface Subscription {
  readonly id: string;
  readonly status: string;
  /** Absent in records of older runs. */
  readonly checkout_id?: string | null;
  readonly plan: { readonly id: string };
  readonly payment_method: { readonly brand: string | null; readonly last4: string | null } | null;
  readonly current_period_end: string | null;
  /** Absent in records of older runs. */
  readonly quantity?: number;
  readonly cancel_at_period_end: boolean;
  /** Absent in records of older runs. */
  readonly pause_at_period_end?: boolean;
  /** Absent in records of older runs. */
  readonly charging_stopped_at?: string | null;
  /** When somebody requested its end, which comes as soon as its open charge is settled. */
  readonly cancel_requested_at: string | null;
  readonly change: {
    readonly action_id: string;
    readonly status: string;
    readonly target_plan_id: string;
    readonly effective_at: string;
  } | null;
  readonly clock: string;
  /** Where a moving clock will stop. */
  readonly clock_target: string | null;
  readonly next_charge_at: string | null;
  /** The end of a pause. Absent in records of older runs. */
  readonly resumes_at?: string | null;
}

/** A change of a subscription's method, as its page shows it; null if the page does not exist. */
export interface MethodChange {
  readonly id: string;
  readonly state: string | null;
}

interface Dispute {
  readonly id: string;
  readonly payment_id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
}

/** An event in the service's own log. */
export interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly recorded_at: string;
  readonly deliveries: readonly { readonly status: string }[];
}

export interface Refund {
  readonly id: string;
  readonly payment_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
}

/** The state of an object at an instant, from one of the service's responses. */
export interface Observed {
  readonly kind: 'session' | 'payment' | 'subscription' | 'refund';
  readonly id: string;
  readonly state: string;
  readonly at: string;
}

export interface Incident {
  readonly kind: string;
  readonly id: string;
  readonly payment_id: string | null;
  readonly reason: string;
}

export interface Run {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  readonly status: string;
  readonly startedAt: string;
  /** The longest sequence of failed workflow tasks. Time-outs are not counted: injected faults cause them. */
  readonly taskFailuresInARow: number;
  /** The failure of the last failed task, or of the run. */
  readonly failure: string;
  /** Attempts of an activity that is still failing. */
  readonly pendingAttempts: number;
  /** Every payload of the history, as text. */
  readonly payloads: string;
}

export interface Fault {
  /** The fault's number in the run's plan. Absent in records of older runs. */
  readonly number?: number;
  readonly kind: string;
  readonly what: string;
  readonly at: string;
  readonly until: string;
}

/** Commits between `target` and `at` were lost. */
export interface Restore {
  /** When the restored server was available. */
  readonly at: string;
  /** When the old server was gone: later data is committed in the restored one. */
  readonly stoppedAt?: string;
  /** Commits since then are lost. */
  readonly target: string;
}

/** Invoice numbers that the service skipped after a restore, according to the audit log. */
export interface SkippedNumbers {
  readonly year: number;
  readonly from: number;
  readonly to: number;
}

export interface Records {
  readonly seed: number;
  readonly commit: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly exchanges: readonly Exchange[];
  readonly seen: readonly Seen[];
  readonly cancelled: readonly Cancelled[];
  readonly ledger: readonly LedgerEntry[];
  readonly requests: readonly RailRequest[];
  readonly charges: readonly RailCharge[];
  readonly railRefunds: readonly RailRefund[];
  readonly railDisputes: readonly RailDispute[];
  readonly received: readonly Received[];
  /** The service's responses after the run, and the ids of sessions and refunds that it no longer has. */
  readonly sessions: readonly Session[];
  readonly refunds: readonly Refund[];
  readonly coupons: readonly Coupon[];
  readonly unknown: readonly string[];
  readonly payments: readonly Payment[];
  readonly orders: readonly Order[];
  readonly invoices: readonly Invoice[];
  readonly skippedNumbers: readonly SkippedNumbers[];
  readonly subscriptions: readonly Subscription[];
  readonly methodChanges: readonly MethodChange[];
  readonly disputes: readonly Dispute[];
  readonly events: readonly LoggedEvent[];
  readonly observed: readonly Observed[];
  readonly incidents: readonly Incident[];
  readonly runs: readonly Run[];
  /** Lines of logs that hold a secret or personal data; the collector keeps no other lines. */
  readonly leakingLines: readonly string[];
  readonly canaries: readonly string[];
  readonly faults: readonly Fault[];
  readonly restores: readonly Restore[];
}
