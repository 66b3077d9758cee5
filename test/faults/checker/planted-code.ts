/**
 * Faults planted in the code as it is loaded, each with the promise that the checker must find broken after a few
 * purchases (test/full/faults/planted-code.test.ts). Faults planted in records are in planted/.
 */
import type { PromiseName } from './promises.ts';

export interface PlantedFault {
  readonly name: string;
  readonly promise: PromiseName;
  readonly file: string;
  /** Text that occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The only test card, if the fault needs a specific one. */
  readonly card?: string;
}

const APPROVED = '4242424242424242';
const CHARGED_THEN_DROPPED = '4000009000000110';

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a charge is a cent too high',
    promise: 'a succeeded payment is charged',
    file: 'activities/payment/rail-attempt.ts',
    find: 'amountCents: begun.amount,\n',
    replace: 'amountCents: begun.amount + 1,\n',
    card: APPROVED,
  },
  {
    name: 'an unknown outcome counts as a decline',
    promise: "a session's state matches its charge",
    file: 'domain/session/session.ts',
    find: "    case 'declined':\n",
    replace: "    case 'unknown':\n    case 'declined':\n",
    card: CHARGED_THEN_DROPPED,
  },
  {
    name: 'an event is not recorded',
    promise: 'every event reaches its endpoint',
    file: 'db/session/record-outcome.ts',
    find: '  if (moneyMoved) {',
    replace: '  if (false) {',
    card: APPROVED,
  },
  {
    name: 'events are signed with another secret',
    promise: 'every delivery is signed',
    file: 'contract/webhook/webhook-signature.ts',
    find: '=> hmac(secret, ',
    replace: '=> hmac(secret.toUpperCase(), ',
    card: APPROVED,
  },
  {
    name: 'a paid session produces the event of a failed payment',
    promise: 'an event matches the lists',
    file: 'db/session/record-outcome.ts',
    find: "type: 'payment.succeeded',",
    replace: "type: 'payment.failed',",
    card: APPROVED,
  },
  {
    name: 'the page shows an open payment as failed',
    promise: 'no buyer sees a wrong outcome',
    file: 'page/document/view.ts',
    find: '    state: session.state,\n',
    replace: "    state: session.state === 'processing' ? 'failed' : session.state,\n",
    card: CHARGED_THEN_DROPPED,
  },
  {
    name: 'the answer to a refund is not recorded',
    promise: 'nothing is unfinished past its deadline',
    file: 'db/refund/record-refund.ts',
    find: "    if (refund.status !== 'pending') return;\n    const { outcome } = input;",
    replace: '    return;\n    const { outcome } = input;',
    card: APPROVED,
  },
  {
    name: 'an invoice number is skipped',
    promise: 'invoice numbers have no gaps',
    file: 'db/invoice/invoices.ts',
    find: 'greatest(invoice_counters.last_number + 1,',
    replace: 'greatest(invoice_counters.last_number + 2,',
    card: APPROVED,
  },
  {
    name: "the buyer's email goes to Temporal",
    promise: 'no personal data or secret in Temporal',
    file: 'page/http/routes/pay.ts',
    find: 'payUpdate, { args: [{ claimId }]',
    replace: 'payUpdate, { args: [{ claimId, email: click.email }]',
    card: APPROVED,
  },
  {
    name: 'an API key is logged',
    promise: 'no secret in a log',
    file: 'api/http/request-log.ts',
    find: '          requestId,\n          method: request.method,\n',
    replace:
      '          requestId,\n          key: request.get("authorization"),\n          method: request.method,\n',
    card: APPROVED,
  },
  {
    name: "an order's line is a cent short",
    promise: 'orders, invoices and payments add up',
    file: 'db/session/claim-attempt.ts',
    find: 'return storedLine(line,',
    replace: 'return storedLine({ ...line, amount: Math.max(0, line.amount - 1) },',
    card: APPROVED,
  },
  {
    name: 'two buyers redeem the last coupon at once',
    promise: 'a coupon is not redeemed more often than allowed',
    file: 'db/session/redeem-coupon.ts',
    find: ' for no key update`,',
    replace: ' and pg_sleep(0.2) is null`,',
    card: APPROVED,
  },
  {
    name: 'a coupon takes a cent too much off',
    promise: 'a coupon gives its stated discount',
    file: 'domain/subscription/proration.ts',
    find: 'shareOf(deductedFrom(whole, coupon))',
    replace: 'shareOf(deductedFrom(whole, coupon)) + 1',
    card: APPROVED,
  },
];
