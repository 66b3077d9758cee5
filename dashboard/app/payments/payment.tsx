import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useAt } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { Button } from '../ui/button.tsx';
import { Copy } from '../ui/copy.tsx';
import { IdLink } from '../ui/id-link.tsx';
import { Card, Fact, Facts, Loading, Page } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { notHere, ProblemNote } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { RefundDialog, refundableBy } from './refund.tsx';
import { customerText, declineReason, methodText, PaymentStatus, RefundStatus } from './status.tsx';
import { Timeline } from './timeline.tsx';

type Details = Schemas['PaymentDetailsAnswer'];

export function Payment({ id }: PageProps) {
  const { data, error } = useRead('showPayment', { path: { paymentId: id } }, { live: true });
  const [refunding, setRefunding] = useState(false);
  const { environment, access } = useAt();
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  // The banner names one environment, so a payment of the other one counts as not found.
  if (data.environment !== environment) return <ProblemNote error={notHere('payment')} />;
  return (
    <Page
      title={money(data.amount, data.currency)}
      actions={
        refundableBy(access, data) > 0 && (
          <Button kind="primary" onClick={() => setRefunding(true)}>
            {words.refund.open}
          </Button>
        )
      }
    >
      <p class="subtitle">
        <PaymentStatus of={data} />
        {data.description && <span>{data.description}</span>}
        <Time at={data.created_at} />
      </p>
      <ProblemNote error={error} />
      {data.dispute_status && (
        <p class="note bad">
          {words.payments.disputedText[data.dispute_status](money(data.disputed_amount, data.currency))}
        </p>
      )}
      <div class="columns">
        <Card title={words.payments.timeline}>
          <Timeline of={data} />
        </Card>
        <div>
          <Card title={words.payments.details}>
            <PaymentFacts payment={data} />
          </Card>
          <Card title={words.payments.refunds}>
            <Refunds payment={data} />
          </Card>
        </div>
      </div>
      {refunding && <RefundDialog payment={data} onClose={() => setRefunding(false)} />}
    </Page>
  );
}

function PaymentFacts({ payment }: { readonly payment: Details }) {
  const { customer } = payment;
  return (
    <Facts>
      <Fact name={words.common.id}>
        <Copy value={payment.id} />
      </Fact>
      {payment.failure_code && (
        <Fact name={words.payments.declined}>{declineReason(payment.failure_code)}</Fact>
      )}
      {payment.refunded_amount > 0 && (
        <Fact name={words.payments.refunded}>{money(payment.refunded_amount, payment.currency)}</Fact>
      )}
      <Fact name={words.payments.method}>{methodText(payment.payment_method)}</Fact>
      {customer && (
        <Fact name={words.payments.customer}>
          <Link href={`/customers/${customer.id}`}>{customerText(customer)}</Link>
        </Fact>
      )}
      {payment.merchant_reference && (
        <Fact name={words.payments.reference}>
          <Copy value={payment.merchant_reference} />
        </Fact>
      )}
      <Id name={words.payments.order} value={payment.order_id} />
      {payment.checkout_id && (
        <Fact name={words.payments.checkout}>
          <IdLink to="checkouts" id={payment.checkout_id} />
        </Fact>
      )}
      {payment.subscription_id && (
        <Fact name={words.payments.subscription}>
          <IdLink to="subscriptions" id={payment.subscription_id} />
        </Fact>
      )}
      {payment.invoice_number && (
        <Fact name={words.payments.invoice}>
          <Link href={`/invoices/${payment.invoice_id}`}>{payment.invoice_number}</Link>
        </Fact>
      )}
      <Id name={words.payments.processorId} value={payment.rail_order_id} />
      <Id name={words.payments.rail} value={payment.rail_account_id} />
    </Facts>
  );
}

function Id({ name, value }: { readonly name: string; readonly value: string | null }) {
  return (
    value && (
      <Fact name={name}>
        <Copy value={value} />
      </Fact>
    )
  );
}

function Refunds({ payment: { refunds, currency } }: { readonly payment: Details }) {
  if (refunds.length === 0) return <p class="muted">{words.payments.noRefunds}</p>;
  return (
    <ul class="rows">
      {refunds.map(({ id, amount, status, reason, created_at, credit_note: note }) => (
        <li key={id}>
          <strong>{money(amount, currency)}</strong>
          <RefundStatus status={status} />
          <Time at={created_at} />
          {note && (
            <span class="full">
              {words.payments.creditNote}{' '}
              <Link href={`/invoices/credit-notes/${note.id}`}>{note.number}</Link>
            </span>
          )}
          {reason && <span class="muted full">{reason}</span>}
        </li>
      ))}
    </ul>
  );
}
