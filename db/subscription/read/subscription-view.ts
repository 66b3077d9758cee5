/** A subscription as its workflow sees it, at one instant by the subscription's clock. */
import { z } from 'zod';
import { CURRENCIES } from '../../../domain/core/money.ts';
import { dunningEnd, dunningStep } from '../../../domain/subscription/dunning.ts';
import { SUBSCRIPTION_STATUSES } from '../../../domain/subscription/subscription.ts';
import { type SubscriptionView, scheduleOf } from '../../../domain/subscription/subscription-view.ts';
import { type Db, sql } from '../../core/pool.ts';
import { rowOrNotFound } from '../../core/row-not-found.ts';
import { UNPAID } from '../../invoice/unpaid.ts';
import { OPEN_STATUSES } from '../../payment/open-payment.ts';
import { isHeld, OPEN_CHANGE, openChange, storedDunning, timetableOf } from '../core/subscription-row.ts';

const row = z.object({
  id: z.string(),
  product_id: z.string(),
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  status: z.enum(SUBSCRIPTION_STATUSES),
  version: z.number(),
  current_period_end: z.string().nullable(),
  cancel_at_period_end: z.boolean(),
  collects: z.boolean(),
  pause_at_period_end: z.boolean(),
  charging_stopped: z.boolean(),
  resumes_at: z.string().nullable(),
  billing_cycles_left: z.number().nullable(),
  cancel_requested_at: z.string().nullable(),
  charge_at: z.string().nullable(),
  announce_at: z.string().nullable(),
  dunning: storedDunning.nullable(),
  next_period_waits: z.boolean(),
  reconciling: z.boolean(),
  payment_id: z.string().nullable(),
  called: z.boolean(),
  paid_by_link: z.boolean(),
  last_failure: z.string().nullable(),
  open_change: openChange,
  change_type: z.string().nullable(),
  change_effective_at: z.string().nullable(),
  now: z.string(),
  clock_target: z.string().nullable(),
});

/** @throws RowNotFound */
export async function loadSubscriptionView(db: Db, subscriptionId: string): Promise<SubscriptionView> {
  const s = rowOrNotFound(
    await db.maybeOne(sql.type(row)`
    select s.id, s.product_id, s.amount, s.currency, s.status, s.version, s.current_period_end, s.cancel_at_period_end,
      s.collects, s.pause_at_period_end, s.resumes_at, s.billing_cycles_left, s.cancel_requested_at,
      s.charging_stopped_at is not null as charging_stopped, s.charge_at, s.announce_at, s.dunning, s.next_period_waits, s.reconciling_since is not null as reconciling,
      p.id as payment_id, p.call_started_at is not null as called,
      coalesce(p.checkout_id is not null, false) as paid_by_link,
      (select latest.failure_code from payments latest join invoices i on i.id = latest.invoice_id
        where i.subscription_id = s.id and i.status in ${UNPAID}
        order by latest.created_at desc limit 1) as last_failure,
      change.status as open_change, change.type as change_type, change.effective_at as change_effective_at,
      subscription_clock(s.id) as now, clock.target as clock_target
    from subscriptions s
    left join lateral (
      select p.id, p.call_started_at, p.checkout_id from payments p join invoices i on i.id = p.invoice_id
      where i.subscription_id = s.id and p.status in ${OPEN_STATUSES}
    ) p on true
    left join subscription_changes change on change.subscription_id = s.id and change.status in ${OPEN_CHANGE}
    left join subscription_clocks clock on clock.subscription_id = s.id
    where s.id = ${subscriptionId}
  `),
    subscriptionId,
  );
  return {
    subscriptionId: s.id,
    planId: s.product_id,
    amount: s.amount,
    currency: s.currency,
    status: s.status,
    version: s.version,
    currentPeriodEnd: s.current_period_end,
    cancelAtPeriodEnd: s.cancel_at_period_end,
    pauseAtPeriodEnd: s.pause_at_period_end,
    isHeld: isHeld(s),
    openAttempt: s.payment_id && !s.paid_by_link ? { attemptId: s.payment_id, called: s.called } : null,
    paidByLink: s.paid_by_link,
    reconciling: s.reconciling,
    next: scheduleOf(timetableOf({ ...s, open_payment_id: s.payment_id }), s.now, s.clock_target),
    dunning: s.dunning && {
      step: dunningStep(s.dunning, s.now),
      steps: s.dunning.retries.length,
      endsAt: dunningEnd(s.dunning),
    },
    lastFailure: s.last_failure,
    change:
      s.open_change === 'scheduled' && s.change_type && s.change_effective_at
        ? { type: s.change_type, effectiveAt: s.change_effective_at }
        : null,
    clockTarget: s.clock_target,
  };
}
