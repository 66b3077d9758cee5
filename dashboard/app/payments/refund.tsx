import { useState } from 'preact/hooks';
import { useAt } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useKeyedChange } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { amountText, money, readAmount } from '../words/format.ts';
import { words } from '../words/words.ts';
import { methodText } from './status.tsx';

interface RefundProps {
  readonly payment: Schemas['PaymentDetailsAnswer'];
  readonly onClose: () => void;
}

/** Cents that the person may still refund. Support's limit applies to all refunds of a payment together. */
export function refundableBy(
  { refund_limit: limit }: Schemas['AccessAnswer'],
  { refundable_amount: left, refunded_amount: refunded }: RefundProps['payment'],
): number {
  return limit === null ? left : Math.max(0, Math.min(left, limit - refunded));
}

export function RefundDialog({ payment, onClose }: RefundProps) {
  const { environment, access } = useAt();
  const { currency } = payment;
  // The amount that the person saw. If the response to a successful refund was lost, the service refuses a second one
  // under any key.
  const [left] = useState(payment.refundable_amount);
  const [unreturned] = useState(payment.amount - payment.refunded_amount);
  const [most] = useState(() => refundableBy(access, payment));
  const [typed, setTyped] = useState(amountText(most));
  const [reason, setReason] = useState('');
  /** True while the dialog asks for a second confirmation, because the payment is disputed. */
  const [asking, setAsking] = useState(false);
  const { change: refund, send } = useKeyedChange('createRefundAsPerson');
  const amount = readAmount(typed);
  const error =
    amount === null || amount === 0
      ? words.refund.invalid
      : amount > most
        ? words.refund.tooMuch(money(most, currency))
        : null;
  const disputed = amount !== null && amount > left - payment.disputed_amount;
  const submit = (event: Event) => {
    event.preventDefault();
    if (error || amount === null) return;
    if (disputed && !asking) {
      setAsking(true);
      return;
    }
    const body = {
      environment,
      payment_id: payment.id,
      amount,
      if_refundable_amount: left,
      // Confirms only the disputes that this person has seen: the service refuses the refund if another one has been
      // opened since.
      ...(asking && { confirm_dispute: true }),
      ...(reason.trim() && { reason: reason.trim() }),
    };
    send({ body }, onClose);
  };
  if (!payment.refunds_supported) return <Unsupported onClose={onClose} />;
  const title = asking ? words.refund.disputedTitle : words.refund.title;
  return (
    <Dialog title={title} onClose={onClose} busy={refund.isPending}>
      <Form error={refund.error} onSubmit={submit}>
        {asking ? (
          <DisputeQuestion payment={payment} amount={money(amount ?? 0, currency)} />
        ) : (
          <>
            <TextField
              label={words.refund.amount}
              at="amount"
              limitText={(limit) => money(limit, currency)}
              hint={words.refund.left(money(most, currency))}
              error={error}
              inputMode="decimal"
              autocomplete="off"
              value={typed}
              onValue={setTyped}
            />
            <TextField
              label={words.refund.reason}
              at="reason"
              hint={words.refund.reasonHint}
              maxLength={500}
              value={reason}
              onValue={setReason}
            />
            {left < unreturned && <p>{words.refund.credited(money(unreturned - left, currency))}</p>}
            {amount !== null && !error && (
              <div class="note">
                <p>{words.refund.will(money(amount, currency), methodOf(payment))}</p>
                {amount === unreturned && (
                  <p>{payment.subscription_id ? words.refund.ofSubscription : words.refund.ends}</p>
                )}
              </div>
            )}
          </>
        )}
        <ProblemNote error={refund.error} />
        <div class="dialog-actions">
          <Button onClick={asking ? () => setAsking(false) : onClose} disabled={refund.isPending}>
            {asking ? words.common.back : words.common.cancel}
          </Button>
          <Button kind="danger" type="submit" busy={refund.isPending} disabled={error !== null}>
            {error || amount === null
              ? words.refund.open
              : words.refund[asking ? 'confirmDisputed' : 'confirm'](money(amount, currency))}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface QuestionProps extends Pick<RefundProps, 'payment'> {
  readonly amount: string;
}

function DisputeQuestion({ payment, amount }: QuestionProps) {
  const disputed = money(payment.disputed_amount, payment.currency);
  return (
    <div class="note bad">
      {payment.dispute_status && <p>{words.payments.disputedText[payment.dispute_status](disputed)}</p>}
      <p>{words.refund.disputedText(amount)}</p>
    </div>
  );
}

function methodOf({ payment_method: method }: RefundProps['payment']): string {
  return method ? methodText(method) : words.refund.theCard;
}

function Unsupported({ onClose }: Pick<RefundProps, 'onClose'>) {
  return (
    <Dialog title={words.refund.title} onClose={onClose}>
      <p>{words.refund.unsupported}</p>
      <div class="dialog-actions">
        <Button onClick={onClose}>{words.common.close}</Button>
      </div>
    </Dialog>
  );
}
