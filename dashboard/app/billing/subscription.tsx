import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useAt, useMay } from '../api/at.ts';
import type { Schemas } from '../api/description.ts';
import { useRead } from '../api/use.ts';
import { heldCouponText } from '../catalogue/coupon-text.ts';
import { DisputeMark, declineReason, methodText } from '../payments/status.tsx';
import { Button } from '../ui/button.tsx';
import { Copy } from '../ui/copy.tsx';
import { Card, Fact, Facts, Loading, Page } from '../ui/page.tsx';
import type { PageProps } from '../ui/page-props.ts';
import { notHere, ProblemNote } from '../ui/problem.tsx';
import { Table } from '../ui/table.tsx';
import { dayOf, exactTime, isolated, money } from '../words/format.ts';
import { words } from '../words/words.ts';
import { invoiceColumns } from './invoices.tsx';
import { type ActionName, SubscriptionAction } from './subscription-actions.tsx';
import { isOver, isToUndo } from './subscription-command.ts';
import { changeText, nextText, paidUntil, unpaidText } from './subscription-text.ts';
import { SubscriptionStatus } from './subscriptions.tsx';

type Details = Schemas['SubscriptionDetailsAnswer'];

const OVER: readonly Details['status'][] = ['incomplete', 'cancelled', 'expired'];

export function Subscription({ id }: PageProps) {
  const { environment } = useAt();
  const mayChange = useMay('manage_subscriptions');
  const { data, error } = useRead('showSubscription', { path: { subscriptionId: id } }, { live: true });
  const query = { environment, q: id, limit: 10 };
  const invoices = useRead('searchInvoices', { query }, { live: true });
  const [action, setAction] = useState<ActionName | null>(null);
  if (!data) return error ? <ProblemNote error={error} /> : <Loading />;
  if (data.environment !== environment) return <ProblemNote error={notHere('subscription')} />;
  const { customer, status, plan } = data;
  return (
    <Page
      title={customer.email ?? customer.name ?? id}
      actions={!OVER.includes(status) && <Actions of={data} onOpen={setAction} />}
    >
      <p class="subtitle">
        <SubscriptionStatus status={status} />
        <span>{plan.name}</span>
        <span>{money(data.amount, data.currency)}</span>
      </p>
      <ProblemNote error={error} />
      {data.charging_stopped_at && <p class="note bad">{words.subscriptions.stopped}</p>}
      {data.cancel_requested_at && !OVER.includes(status) && (
        <p class="note">{words.subscriptions.endsAfterCharge}</p>
      )}
      <div class="columns">
        <Card title={words.subscriptions.timeline}>
          <Timeline subscription={data} />
        </Card>
        <div>
          <Card title={words.payments.details}>
            <SubscriptionFacts subscription={data} onUndo={mayChange ? () => setAction('undo') : null} />
          </Card>
          <Card
            title={words.subscriptions.invoices}
            actions={invoices.data?.next_cursor && <Link href={`/invoices?q=${id}`}>{words.lists.all}</Link>}
          >
            <ProblemNote error={invoices.error} />
            {invoices.data?.data.length === 0 && <p class="muted">{words.subscriptions.noInvoices}</p>}
            {invoices.data && invoices.data.data.length > 0 && (
              <Table
                label={words.subscriptions.invoices}
                columns={invoiceColumns().slice(0, 3)}
                rows={invoices.data.data}
                keyOf={(row) => row.id}
                href={(row) => `/invoices/${row.id}`}
              />
            )}
          </Card>
        </div>
      </div>
      {action && <SubscriptionAction name={action} subscription={data} onClose={() => setAction(null)} />}
    </Page>
  );
}

interface ActionsProps {
  readonly of: Details;
  readonly onOpen: (name: ActionName) => void;
}

function Actions({ of, onOpen }: ActionsProps) {
  const { environment, change, cancel_at_period_end: ends } = of;
  const mayChange = useMay('manage_subscriptions');
  const mayServe = useMay('serve_subscribers');
  const mayMove = useMay('move_clock');
  const pausing = of.status === 'paused' || of.pause_at_period_end;
  // In the last billing cycle a change can only apply immediately, and not while an invoice is unpaid.
  const isLast = of.ends_at !== null && of.status !== 'active';
  const stays = isToUndo(change) || ends || pausing || isLast;
  const path = { productId: of.plan.id };
  const { data: plan } = useRead('showProduct', { path }, { enabled: mayChange && !stays });
  return (
    <>
      {mayServe && <ServiceActions of={of} onOpen={onOpen} />}
      {mayMove && environment === 'sandbox' && (
        <Button onClick={() => onOpen('clock')}>{words.subscriptions.move}</Button>
      )}
      {mayServe && <Button onClick={() => onOpen('method')}>{words.subscriptions.method}</Button>}
      {mayChange && !ends && of.status === 'trialing' && (
        <Button onClick={() => onOpen('trial')}>{words.subscriptions.moveTrial}</Button>
      )}
      {mayChange && !stays && (
        <Button onClick={() => onOpen('plan')}>{words.subscriptions.changePlan}</Button>
      )}
      {mayChange && !stays && plan?.quantity && (
        <Button onClick={() => onOpen('quantity')}>{words.subscriptions.changeQuantity}</Button>
      )}
      {(mayChange || (mayServe && !ends)) && (
        <Button onClick={() => onOpen('cancel')}>{words.subscriptions.cancel}</Button>
      )}
    </>
  );
}

function ServiceActions({ of, onOpen }: ActionsProps) {
  const { cancel_at_period_end: ends, cancel_requested_at: endsNow, charging_stopped_at: stopped } = of;
  if (endsNow || stopped) return null;
  const pausing = of.status === 'paused' || of.pause_at_period_end;
  const mayPause = of.status === 'paused' || (of.status === 'active' && !of.ends_at && !isToUndo(of.change));
  return (
    <>
      {of.status === 'past_due' && (
        <>
          {/* Refused until the method has been replaced. */}
          {of.dunning?.waits_for !== 'payment_method' && (
            <Button onClick={() => onOpen('pay')}>{words.subscriptions.pay}</Button>
          )}
          <Button onClick={() => onOpen('payLink')}>{words.subscriptions.payLink}</Button>
        </>
      )}
      {mayPause && <Button onClick={() => onOpen('pause')}>{words.subscriptions.pause}</Button>}
      {pausing && !ends && <Button onClick={() => onOpen('resume')}>{words.subscriptions.resume}</Button>}
      {ends && !isOver(of) && (
        <Button onClick={() => onOpen('undoCancel')}>{words.subscriptions.undoCancel}</Button>
      )}
    </>
  );
}

interface FactsProps {
  readonly subscription: Details;
  /** Null if the user lacks permission. */
  readonly onUndo: (() => void) | null;
}

function SubscriptionFacts({ subscription, onUndo }: FactsProps) {
  const { customer, plan, offering, coupon, dunning } = subscription;
  const { trial_end: trialEnd } = subscription;
  const paid = paidUntil(subscription);
  const ahead = subscription.clock_target !== null || Date.parse(subscription.clock) > Date.now() + 60_000;
  return (
    <Facts>
      <Fact name={words.common.id}>
        <Copy value={subscription.id} />
      </Fact>
      <Fact name={words.payments.customer}>
        <Link href={`/customers/${customer.id}`}>{customer.email ?? customer.name ?? customer.id}</Link>
      </Fact>
      <Fact name={words.subscriptions.plan}>
        <Link href={`/products/${plan.id}`}>{plan.name}</Link>
      </Fact>
      {subscription.quantity > 1 && <Fact name={words.products.quantity}>{subscription.quantity}</Fact>}
      {offering && <Fact name={words.subscriptions.offering}>{offering.name}</Fact>}
      {coupon && <Fact name={words.subscriptions.coupon}>{heldCouponText(coupon)}</Fact>}
      <Fact name={words.subscriptions.next}>{nextText(subscription)}</Fact>
      <PriceMove subscription={subscription} />
      {subscription.billing_cycles_left !== null && (
        <Fact name={words.subscriptions.cyclesLeft}>{subscription.billing_cycles_left}</Fact>
      )}
      {dunning && (
        <Fact name={words.subscriptions.dunning}>
          {unpaidText(dunning)}
          {dunning.failure_code && <p class="muted">{declineReason(dunning.failure_code)}</p>}
        </Fact>
      )}
      {paid && <Fact name={words.subscriptions.period}>{paid}</Fact>}
      {trialEnd && subscription.status === 'trialing' && (
        <Fact name={words.subscriptions.trialEnds}>{dayOf(trialEnd)}</Fact>
      )}
      <Change subscription={subscription} onUndo={onUndo} />
      <Fact name={words.payments.method}>{methodText(subscription.payment_method)}</Fact>
      {subscription.environment === 'sandbox' && (
        <Fact name={words.subscriptions.clock}>
          {ahead ? exactTime(subscription.clock) : words.home.today}
          {subscription.clock_target && (
            <p class="muted">{words.subscriptions.clockMoving(dayOf(subscription.clock_target))}</p>
          )}
        </Fact>
      )}
    </Facts>
  );
}

function PriceMove({ subscription: { price_move: move, currency } }: { readonly subscription: Details }) {
  if (!move) return null;
  const { priceMove, priceMoveText } = words.subscriptions;
  return <Fact name={priceMove}>{priceMoveText(money(move.amount, currency), dayOf(move.from))}</Fact>;
}

function Change({ subscription: { change }, onUndo }: FactsProps) {
  const open = change && change.status in words.subscriptions.changeText ? change : null;
  const path = { productId: open?.target_plan_id ?? '' };
  const { data: plan } = useRead('showProduct', { path }, { enabled: open !== null });
  if (!open) return null;
  const name = plan?.id === open.target_plan_id ? isolated(plan.name) : open.target_plan_id;
  return (
    <Fact name={words.subscriptions.change}>
      {changeText(open, name)}
      {open.hostedUrl && (
        <p class="secret">
          <Copy value={open.hostedUrl} />
        </p>
      )}
      {onUndo && isToUndo(open) && (
        <Button kind="quiet" onClick={onUndo}>
          {words.subscriptions.undo}
        </Button>
      )}
    </Fact>
  );
}

const TONES: Readonly<Record<string, string>> = {
  'payment.succeeded': 'good',
  'payment.failed': 'bad',
  'invoice.payment_failed': 'bad',
  'subscription.created': 'good',
  'subscription.paused': 'wait',
  'subscription.resumed': 'good',
  'payment_method.updated': 'good',
  'payment_method.update_failed': 'bad',
  'payment_method.updated_required': 'wait',
};

/** Instants are by the subscription's clock, which may be ahead in the sandbox. */
function Timeline({ subscription: { timeline, currency } }: { readonly subscription: Details }) {
  return (
    <ol class="timeline">
      {timeline.map(
        ({
          at,
          what,
          change,
          event_id: eventId,
          status,
          payment_id: paymentId,
          payment_dispute_status: dispute,
          amount,
        }) => (
          <li key={eventId} class={TONES[what]}>
            <p>
              <Link href={paymentId ? `/payments/${paymentId}` : `/webhooks/events/${eventId}`}>
                {change ? words.subscriptions.updates[change] : words.subscriptions.happened[what]}
              </Link>{' '}
              <DisputeMark status={dispute} />
            </p>
            <p class="muted">
              {[
                amount === null ? null : money(amount, currency),
                what.startsWith('subscription.') && status ? statusText(status) : null,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            <time dateTime={at}>{exactTime(at)}</time>
          </li>
        ),
      )}
    </ol>
  );
}

function statusText(status: string): string {
  const known: Readonly<Record<string, string>> = words.subscriptions.statuses;
  return known[status] ?? status;
}
