import { Link } from 'wouter-preact';
import { useAt } from '../api/at.ts';
import { useRead } from '../api/use.ts';
import { Timeline } from '../payments/timeline.tsx';
import { Copy } from '../ui/copy.tsx';
import { IdLink } from '../ui/id-link.tsx';
import { Card, Fact, Facts, Loading, Page } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { notHere, ProblemNote } from '../ui/problem.tsx';
import { Time } from '../ui/time.tsx';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { CheckoutState } from './checkouts.tsx';

export function Checkout({ id }: PageProps) {
  const { environment } = useAt();
  const { data, error } = useRead('showCheckoutHistory', { path: { checkoutId: id } }, { live: true });
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  if (data.environment !== environment) return <ProblemNote error={notHere('checkout')} />;
  const { customer, payment_id: paymentId, subscription_id: subscriptionId } = data;
  return (
    <Page title={money(data.amount, data.currency)}>
      <p class="subtitle">
        <CheckoutState checkout={data} />
        {data.product_name && <span>{data.product_name}</span>}
        <Time at={data.created_at} />
      </p>
      <ProblemNote error={error} />
      <div class="columns">
        <Card title={words.payments.timeline}>
          <Timeline of={data} />
        </Card>
        <Card title={words.payments.details}>
          <Facts>
            <Fact name={words.common.id}>
              <Copy value={id} />
            </Fact>
            <Fact name={words.payments.customer}>
              <Link href={`/customers/${customer.id}`}>{customer.email ?? customer.name ?? customer.id}</Link>
            </Fact>
            <Fact name={words.checkouts.product}>
              <Link href={`/products/${data.product_id}`}>{data.product_name ?? data.product_id}</Link>
            </Fact>
            {data.merchant_reference && (
              <Fact name={words.checkouts.reference}>
                <Copy value={data.merchant_reference} />
              </Fact>
            )}
            <Fact name={words.checkouts.attempts}>{data.attempts}</Fact>
            {paymentId && (
              <Fact name={words.checkouts.payment}>
                <IdLink to="payments" id={paymentId} />
              </Fact>
            )}
            {subscriptionId && (
              <Fact name={words.payments.subscription}>
                <IdLink to="subscriptions" id={subscriptionId} />
              </Fact>
            )}
            {!data.finished_at && (
              <Fact name={words.checkouts.expires}>
                <Time at={data.expires_at} />
              </Fact>
            )}
          </Facts>
        </Card>
      </div>
    </Page>
  );
}
