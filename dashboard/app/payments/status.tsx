import type { Schemas } from '../api/description.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { words } from '../words/words.ts';

type Payment = Schemas['FoundPayment'];

const TONES: Readonly<Record<Payment['status'], Tone>> = {
  requires_action: 'wait',
  processing: 'wait',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'calm',
  refunded: 'calm',
  partially_refunded: 'calm',
};

export function PaymentStatus({ of: { status, dispute_status: dispute } }: { readonly of: Payment }) {
  return (
    <>
      <Badge tone={TONES[status]}>{words.paymentStatus[status]}</Badge> <DisputeMark status={dispute} />
    </>
  );
}

/** The dispute's badge; nothing for a payment that is not disputed. */
export function DisputeMark({ status }: { readonly status: Payment['dispute_status'] }) {
  return status && <Badge tone="bad">{words.payments.disputed[status]}</Badge>;
}

const REFUND_TONES = { pending: 'wait', succeeded: 'good', failed: 'bad' } as const;

export function RefundStatus({ status }: { readonly status: keyof typeof REFUND_TONES }) {
  return <Badge tone={REFUND_TONES[status]}>{words.payments.refundStatus[status]}</Badge>;
}

/** A code without a text here is shown as the processor sent it. */
export function disputeReason(code: string): string {
  const known: Readonly<Record<string, string>> = words.payments.disputeReasons;
  return known[code] ?? code;
}

export function declineReason(code: string | null): string {
  const known: Readonly<Record<string, string>> = words.declineReasons;
  return code === null ? words.common.none : (known[code] ?? code);
}

type MethodType = NonNullable<Schemas['CheckoutRequest']['paymentMethod']>;

/** "Visa •••• 4242", or the wallet's name. */
export function methodText(method: Payment['payment_method']): string {
  if (!method) return words.common.none;
  // The compiler rejects an API type without a text; a type from a newer API is shown unchanged.
  const known: Readonly<Record<MethodType, string>> = words.methods;
  const names: Readonly<Record<string, string>> = known;
  const name = method.brand ?? names[method.type] ?? method.type;
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return method.last4 ? `${capital} •••• ${method.last4}` : capital;
}

export function customerText(customer: Payment['customer']): string {
  return customer?.email ?? customer?.name ?? customer?.external_customer_id ?? words.common.none;
}
