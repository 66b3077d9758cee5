/** Builds calls in the service's form. */
import { randomUUID } from 'node:crypto';
import type { RailOutcome } from '../../../rail/outcomes.ts';
import type { Rail } from '../../../rail/rail.ts';
import type { RailAccount } from '../../../rail/rail-account.ts';
import type { AuthorizeRequest, ChargeStoredRequest, RailId, RefundRequest } from '../../../rail/requests.ts';
import { eventually } from '../../support/core/eventually.ts';
import type { CardBehaviour, RailDriver } from './driver.ts';

export const AMOUNT_CENTS = 1_900;
const DEADLINE_MS = 45_000;

export function newReference(): string {
  return `ap_pay_${randomUUID().replaceAll('-', '')}`;
}

/** Used instead of `test` for promises that the rail does not make. */
export function leaveOut(_name: string, _test: () => Promise<void>): void {}

export function deadline(afterMs = DEADLINE_MS): AbortSignal {
  return AbortSignal.timeout(afterMs);
}

interface Kept {
  readonly railReference?: string;
  readonly railCustomer?: string;
}

/** The processor's ids that the service would store, from `storeId` and from answers. */
const keptOf = new Map<string, Kept>();

/** The rail, with ids from answers stored as the service does. */
export function asTheServiceKeeps(rail: Rail): Rail {
  const keep = (reference: string, outcome: RailOutcome): RailOutcome => {
    if ('railReference' in outcome && outcome.railReference) {
      storeId(reference, { railReference: outcome.railReference });
    }
    return outcome;
  };
  return {
    ...rail,
    authorize: async (request) => keep(request.reference, await rail.authorize(request)),
    chargeStored: async (request) => keep(request.reference, await rail.chargeStored(request)),
  };
}

function storeId(reference: string, id: RailId): void {
  keptOf.set(reference, { ...keptOf.get(reference), ...id });
}

export async function payment(
  driver: RailDriver,
  behaviour: CardBehaviour,
  values: Partial<AuthorizeRequest> = {},
): Promise<AuthorizeRequest> {
  const reference = values.reference ?? newReference();
  return {
    account: driver.account,
    reference,
    idempotencyKey: `${reference}:authorize`,
    signal: deadline(),
    amountCents: AMOUNT_CENTS,
    currency: 'EUR',
    methodToken: await driver.token(behaviour),
    quantity: null,
    saveMandate: false,
    challengeReturnUrl: 'http://127.0.0.1:9/pay/return',
    storeId: async (id) => storeId(reference, id),
    ...values,
  };
}

type Attempt = Pick<AuthorizeRequest, 'account' | 'reference'>;

/** Builds an attempt's look-up request. */
export function question({ account, reference }: Attempt) {
  const begunAt = new Date(Date.now() - 60_000).toISOString();
  const { railReference = null, railCustomer = null } = keptOf.get(reference) ?? {};
  const asked = { amountCents: AMOUNT_CENTS, currency: 'EUR' };
  return { account, reference, railReference, railCustomer, begunAt, ...asked, signal: deadline() };
}

export function cancellation(attempt: Attempt) {
  return { ...question(attempt), idempotencyKey: `${attempt.reference}:cancel` };
}

export function storedCharge(
  account: RailAccount,
  mandate: string,
  values: Partial<ChargeStoredRequest> = {},
): ChargeStoredRequest {
  const reference = values.reference ?? newReference();
  return {
    account,
    reference,
    idempotencyKey: `${reference}:charge`,
    signal: deadline(),
    amountCents: AMOUNT_CENTS,
    currency: 'EUR',
    mandate,
    storeId: async (id) => storeId(reference, id),
    ...values,
  };
}

export function refundOf(
  payment: AuthorizeRequest,
  railReference: string,
  values: Partial<RefundRequest> = {},
): RefundRequest {
  const reference = values.reference ?? newReference().replace('ap_pay_', 'ap_ref_');
  return {
    account: payment.account,
    reference,
    idempotencyKey: `${reference}:refund`,
    signal: deadline(),
    paymentReference: payment.reference,
    railReference,
    amountCents: AMOUNT_CENTS,
    currency: 'EUR',
    ...values,
  };
}

export type Approved = Extract<RailOutcome, { kind: 'approved' }>;

export function assertApproved(outcome: RailOutcome): Approved {
  if (outcome.kind !== 'approved') throw new Error(`expected approved, got ${JSON.stringify(outcome)}`);
  return outcome;
}

export async function approvedPayment(driver: RailDriver) {
  const request = await payment(driver, 'approved');
  const { railReference } = assertApproved(await driver.rail.authorize(request));
  return { request, railReference };
}

/** Stores a mandate whose later charges have this behaviour. */
export async function storedMandate(driver: RailDriver, behaviour: CardBehaviour): Promise<string> {
  const request = await payment(driver, behaviour, { saveMandate: true });
  const { mandate } = assertApproved(await driver.rail.authorize(request));
  if (!mandate) throw new Error('expected a mandate');
  return mandate;
}

/** Looks up until the payment has settled. */
export function settledOutcome(rail: Rail, request: AuthorizeRequest): Promise<RailOutcome> {
  return eventually(async () => {
    const outcome = await rail.lookup(question(request));
    if (outcome.kind === 'pending') throw new Error('still pending');
    return outcome;
  });
}
