/** The SQL that finds each kind of recorded incident. */
import {
  type IncidentKind,
  RECOVER,
  RESUME,
  type RecordedKind,
  WHY,
} from '../../contract/operations/incident-kinds.ts';
import { FAILING_AFTER_SECONDS } from '../../domain/webhook/retry-schedule.ts';
import { LATE_AFTER, LATE_AFTER_SECONDS, SWEEP } from '../core/heartbeats.ts';
import { type Fragment, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { UNPAID } from '../invoice/unpaid.ts';
import { SELLS_NOTHING } from '../merchant/sells-nothing.ts';
import { OPEN_STATUSES } from '../payment/open-payment.ts';
import { BILLED } from '../subscription/core/billed-statuses.ts';
import { lateByOwnClock } from '../subscription/read/subscription-sweep.ts';
import { failureOf, slownessOf } from '../webhook/endpoint-failure.ts';
import { oldestMissed } from '../webhook/recover-deliveries.ts';
import { ALERT_OF } from './close-incident.ts';
import { WAITING } from './operator-requests.ts';

/** Prefix of reasons that record a person's decision; the operator's name and text follow. */
export const PAUSED_BY = 'paused by ';
export const STOPPED_BY = 'stopped by ';

/** Selects both amounts, if the rail moved a different amount under the reference than was requested. */
const figuresOr = (reference: Fragment, reason: Fragment) => sql.fragment`coalesce((
  select detail from rail_answers
  where reference = ${reference} and code = 'other_amount' order by id desc limit 1), ${reason})`;

/** Builds the common table expression `found`: every open incident of these kinds. */
export function foundOf(kinds: readonly RecordedKind[]): Fragment {
  const all = sql.join(
    kinds.map((kind) => ofKind(kind)),
    sql.fragment` union all `,
  );
  return sql.fragment`
    found (kind, id, merchant_id, environment, since, amount, currency, reason, payment_id, workflow_id, next) as (${all})`;
}

/** Kinds for which the next command depends on more than the kind. */
const HAVE_OWN_NEXT: readonly RecordedKind[] = [
  'endpoint_disabled',
  'rail_unavailable',
  'webhook_deliveries_exhausted',
];

function ofKind(kind: RecordedKind): Fragment {
  const sources = SOURCES[kind];
  return sql.join(
    sources.map(
      (source) => sql.fragment`
        select ${kind}::text, id, merchant_id, environment, since, amount::bigint, currency, reason, payment_id, workflow_id,
          ${HAVE_OWN_NEXT.includes(kind) ? sql.fragment`next` : sql.fragment`null::text`}
        from (${source}) as ${sql.identifier([`source_of_${kind}`])}`,
    ),
    sql.fragment` union all `,
  ) as unknown as Fragment;
}

/** Formats an amount like `plainAmount`. */
const inWords = (row: Fragment) =>
  sql.fragment`to_char(${row}.amount / 100.0, 'FM9999999990.00') || ' ' || ${row}.currency`;

/** Selects incidents recorded only as alerts, one per reference; they stay listed until an operator closes them. */
function alertOfPayment(code: IncidentKind, reason: string): Fragment {
  return sql.fragment`
    select a.reference as id, a.merchant_id, a.environment, min(a.at) as since, p.amount, p.currency,
      ${figuresOr(sql.fragment`p.id`, sql.fragment`${reason}::text`)} as reason, p.id as payment_id, p.id || '-reconcile' as workflow_id
    from operator_alerts a join payments p on p.id = a.reference
    where a.code = ${code} and a.closed_at is null
    group by a.reference, a.merchant_id, a.environment, p.id`;
}

function alertOfRefund(code: IncidentKind, reason: Fragment): Fragment {
  return sql.fragment`
    select a.reference as id, a.merchant_id, a.environment, min(a.at) as since, f.amount, f.currency,
      ${figuresOr(sql.fragment`f.id`, reason)} as reason, f.payment_id, f.id as workflow_id
    from operator_alerts a join refunds f on f.id = a.reference join payments p on p.id = f.payment_id
    where a.code = ${code} and a.closed_at is null
    group by a.reference, a.merchant_id, a.environment, f.id, p.id`;
}

/** True while an endpoint's missed events are being recovered: another request to recover them would be refused. */
const RECOVERS = sql.fragment`(e.status = 'enabled' and e.recover_until is not null)`;

const lateBy = (dueAt: Fragment) => sql.fragment`'should have acted at '
  || to_char(${dueAt} at time zone 'UTC', 'YYYY-MM-DD HH24:MI" UTC"')`;

const SOURCES: Readonly<Record<RecordedKind, readonly Fragment[]>> = {
  reconciliation_required: [
    sql.fragment`
      select c.id, c.merchant_id, c.environment, coalesce(p.call_started_at, c.created_at) as since, c.amount, c.currency,
        ${figuresOr(sql.fragment`p.id`, sql.fragment`'the outcome of the charge is unknown'`)} as reason,
        p.id as payment_id, c.id as workflow_id
      from checkouts c left join payments p on p.checkout_id = c.id and p.status not in ('failed', 'cancelled')
      where c.state = 'reconciliation_required'`,
    sql.fragment`
      select s.id, s.merchant_id, s.environment, s.reconciling_since as since, coalesce(p.amount, s.amount) as amount,
        s.currency, ${figuresOr(sql.fragment`p.id`, sql.fragment`'the outcome of a renewal''s charge is unknown'`)} as reason,
        p.id as payment_id, s.id as workflow_id
      from subscriptions s
      left join lateral (
        select p.id, p.amount from invoices i join payments p on p.invoice_id = i.id and p.checkout_id is null
        where i.subscription_id = s.id and p.status in ${OPEN_STATUSES} limit 1
      ) p on true
      where s.reconciling_since is not null`,
    sql.fragment`
      select id, merchant_id, environment, reconciling_since as since, amount, currency,
        ${figuresOr(sql.fragment`refunds.id`, sql.fragment`'the outcome of the refund is unknown'`)} as reason, payment_id, id as workflow_id
      from refunds where reconciling_since is not null and status = 'pending'`,
  ],
  orphaned_charge: [
    sql.fragment`
      select payment_id as id, merchant_id, environment, found_at as since, amount, currency,
        ${figuresOr(
          sql.fragment`orphaned_charges.payment_id`,
          sql.fragment`case when reopened > 0 then 'approved again at the rail after it was cancelled'
            else 'charged after the attempt had ended' end`,
        )} as reason, payment_id, payment_id || '-reconcile' as workflow_id
      from orphaned_charges where returned_at is null`,
  ],
  payment_not_at_rail: [
    alertOfPayment('payment_not_at_rail', 'settled as succeeded; the rail reports no charge'),
  ],
  outcome_not_recorded: [
    sql.fragment`
      select u.reference as id, u.merchant_id, u.environment, u.found_at as since, u.amount, p.currency,
        u.activity || ' fails with ' || u.error as reason, p.id as payment_id, u.workflow_id
      from unrecorded_outcomes u left join payments p on p.id = u.reference`,
  ],
  invoice_not_issued: [
    sql.fragment`
      select p.id, d.merchant_id, d.environment, d.found_at as since, p.amount, p.currency,
        'fails with ' || d.error as reason, p.id as payment_id, null::text as workflow_id
      from invoices_due d join payments p on p.id = d.payment_id`,
  ],
  charge_unanswered: [
    sql.fragment`
      select s.id, s.merchant_id, s.environment, min(a.at) as since, i.amount_due as amount, i.currency,
        count(distinct p.id) || ' attempts did not reach the bank' as reason, max(p.id) as payment_id,
        s.id as workflow_id
      from operator_alerts a
      join subscriptions s on s.id = a.reference
      join invoices i on i.subscription_id = s.id and i.status in ${UNPAID}
      join payments p on p.invoice_id = i.id and p.checkout_id is null and p.status = 'cancelled'
      where a.code = 'charge_unanswered' and a.closed_at is null and s.status in ${BILLED}
      group by s.id, i.id having count(distinct p.id) >= 4`,
  ],
  refund_failed: [
    alertOfRefund(
      'refund_failed',
      sql.fragment`coalesce('the rail reports ' || f.failure_code, 'failed') || '; '
        || to_char((p.amount - p.refunded_amount) / 100.0, 'FM9999999990.00') || ' ' || p.currency || ' left to refund'`,
    ),
  ],
  refund_reversed_by_rail: [
    alertOfRefund('refund_reversed_by_rail', sql.fragment`'succeeded here, failed at the rail'`),
  ],
  refund_carried_out: [
    alertOfRefund('refund_carried_out', sql.fragment`'failed here, succeeded at the rail'`),
  ],
  second_person_needed: [
    sql.fragment`
      select id, merchant_id, environment, asked_at as since, amount, currency,
        (command ->> 'command') || ' of ' || subject_id
          || case when confirmed_at is null then ' waits' else ' was confirmed, but not executed' end as reason,
        payment_id, null::text as workflow_id
      from operator_requests where ${WAITING}`,
  ],
  dispute_open: [
    sql.fragment`
      select id, merchant_id, environment, opened_at as since, amount, currency,
        reason || coalesce(', evidence is due by '
          || to_char(evidence_due_by at time zone 'UTC', 'YYYY-MM-DD HH24:MI" UTC"'), '') as reason,
        payment_id, null::text as workflow_id
      from disputes where status = 'open'`,
  ],
  dispute_not_found: [
    alertOfPayment(
      'dispute_not_found',
      'the rail reported a dispute about the payment, but does not find the payment',
    ),
  ],
  // An account's own breaker is not listed while its entire rail is down. The breaker of a disabled account, which gets
  // no more attempts, is listed only if somebody paused it.
  rail_unavailable: [
    sql.fragment`
      select coalesce(b.rail_account_id, b.rail || ':' || b.environment) as id, a.merchant_id, b.environment, b.since,
        null::integer as amount, null::text as currency,
        case b.state when 'paused' then ${PAUSED_BY} || b.paused_by || ': ' || b.reason
          else 'attempts fail with ' || b.reason || case when b.failures > 0 then '; failed probes: ' || b.failures else '' end
            || '; next probe at ' || to_char(b.retry_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS" UTC"') end as reason,
        null::text as payment_id, null::text as workflow_id, case b.state when 'paused' then ${RESUME} end as next
      from rail_breakers b left join rail_accounts a on a.id = b.rail_account_id
      where b.state <> 'closed' and (b.state = 'paused' or a.status is distinct from 'disabled')
        and (b.rail_account_id is null or not exists (
        select from rail_breakers whole
        where whole.scope = 'rail:' || b.rail || ':' || b.environment and whole.state <> 'closed'))`,
  ],
  merchant_sells_nothing: [SELLS_NOTHING],
  merchant_stopped: [
    sql.fragment`
      select m.id, m.id as merchant_id, null::text as environment, stopped.at as since, null::integer as amount,
        null::text as currency,
        ${STOPPED_BY} || stopped.actor || to_char(stopped.at at time zone 'UTC', '" at "YYYY-MM-DD HH24:MI" UTC"')
          || coalesce(': ' || stopped.reason, '') as reason,
        null::text as payment_id, null::text as workflow_id
      from merchants m, lateral (
        select at, actor, after ->> 'reason' as reason from audit_log
        where subject_id = m.id and before ->> 'status' = 'active' and after ->> 'status' = 'inactive'
        order by id desc limit 1
      ) stopped
      where m.status = 'inactive'`,
  ],
  rail_account_disabled: [
    sql.fragment`
      select a.id, a.merchant_id, a.environment, max(l.at) as since, null::integer as amount, null::text as currency,
        a.rail || ' refuses the account' as reason, null::text as payment_id, null::text as workflow_id
      from rail_accounts a
      -- An inactive merchant needs no account (rule 34).
      join merchants m on m.id = a.merchant_id and m.status = 'active'
      join audit_log l on l.subject_id = a.id and l.action = 'rail_account.disabled_by_rail'
      where a.status = 'disabled' and not exists (
        select from rail_accounts other
        where other.merchant_id = a.merchant_id and other.environment = a.environment and other.status <> 'disabled')
      group by a.id`,
  ],
  rail_account_misconfigured: [
    sql.fragment`
      select a.reference as id, a.merchant_id, a.environment, min(a.at) as since, null::integer as amount,
        null::text as currency, 'a call was rejected as invalid; the log has the details' as reason,
        null::text as payment_id, null::text as workflow_id
      from operator_alerts a
      where a.code = 'rail_account_misconfigured' and a.closed_at is null
        and a.at > ${NOW} - interval '2 days'
      group by a.reference, a.merchant_id, a.environment`,
  ],
  card_testing: [
    sql.fragment`
      select merchant_id as id, merchant_id, environment, max(passing_since) as since, null::integer as amount,
        null::text as currency, 'cards declined in ten minutes: ' || count(*) || '; above a limit by '
          || (array_agg(passed order by at desc) filter (where passed is not null))[1] as reason,
        null::text as payment_id, null::text as workflow_id
      from card_declines where at > ${NOW} - interval '10 minutes'
      group by merchant_id, environment having max(passing_since) is not null`,
  ],
  endpoint_failing: [
    sql.fragment`
      select e.id, e.merchant_id, e.environment, e.failing_since as since, null::integer as amount,
        null::text as currency, to_char(e.failing_since at time zone 'UTC', '"failing since "YYYY-MM-DD HH24:MI" UTC"')
          || ': ' || coalesce(answered::text, 'no response') || ', ' || waiting || ' waiting' as reason,
        null::text as payment_id, e.id as workflow_id
      from webhook_endpoints e, lateral (${failureOf(sql.fragment`e.id`)}) failure
      where e.status = 'enabled' and e.failing_since <= ${NOW} - make_interval(secs => ${FAILING_AFTER_SECONDS})`,
    sql.fragment`
      select e.id, e.merchant_id, e.environment, slow.since, null::integer as amount, null::text as currency,
        'slow: responses take ' || round(took_ms / 1000.0, 1) || ' s, ' || waiting || ' waiting' as reason,
        null::text as payment_id, e.id as workflow_id
      from webhook_endpoints e, lateral (${slownessOf(sql.fragment`e.id`)}) slow,
        lateral (${failureOf(sql.fragment`e.id`)}) failure
      where e.status = 'enabled' and e.failing_since is null`,
  ],
  endpoint_disabled: [
    sql.fragment`
      select e.id, e.merchant_id, e.environment,
        case e.status when 'disabled' then e.updated_at else missed_since end as since,
        null::integer as amount, null::text as currency,
        case e.status when 'disabled' then
          case disabled_reason when 'gone' then 'it answered 410' when 'failing' then 'it accepted nothing for five days'
            else coalesce(disabled_reason, 'disabled') end
            || to_char(e.updated_at at time zone 'UTC', '", disabled at "YYYY-MM-DD HH24:MI" UTC"')
          else e.status || ' again, '
            || to_char(missed_since at time zone 'UTC', '"and events since "YYYY-MM-DD HH24:MI" UTC are held"')
            || case when ${RECOVERS} then '; a recovery runs' else '' end
          end as reason,
        null::text as payment_id, e.id as workflow_id,
        case when ${RECOVERS} then ${WHY} when e.status = 'enabled' then ${RECOVER} end as next
      from webhook_endpoints e, lateral (${oldestMissed(sql.fragment`e.id`)}) missed
      where (e.status = 'disabled' or e.status <> 'deleted' and missed_since is not null) and exists (
        select from operator_alerts a
        where a.code = ${ALERT_OF.endpoint_disabled} and a.reference = e.id and a.closed_at is null)`,
  ],
  webhook_deliveries_exhausted: [
    sql.fragment`
      select a.reference as id, a.merchant_id, a.environment, min(a.at) as since, null::integer as amount,
        null::text as currency, 'events were not accepted in any attempt; the oldest is ' || (
          select event_id from deliveries where endpoint_id = a.reference and status = 'exhausted'
          order by created_at, event_id limit 1) || case when ${RECOVERS} then '; a recovery runs' else '' end as reason,
        null::text as payment_id, a.reference as workflow_id, case when ${RECOVERS} then ${WHY} end as next
      from operator_alerts a join webhook_endpoints e on e.id = a.reference and e.status <> 'deleted'
      where a.code = 'webhook_deliveries_exhausted' and a.closed_at is null
        and exists (select from deliveries where endpoint_id = a.reference and status = 'exhausted')
      group by a.reference, a.merchant_id, a.environment, e.id`,
  ],
  overdue: [
    sql.fragment`
      select id, merchant_id, environment, next_action_at as since, amount, currency,
        ${lateBy(sql.fragment`next_action_at`)} as reason, null::text as payment_id, id as workflow_id
      from checkouts
      where state not in ('succeeded', 'failed', 'reconciliation_required')
        and next_action_at < ${NOW} - ${LATE_AFTER}`,
    sql.fragment`
      select s.id, s.merchant_id, s.environment, late.since, s.amount, s.currency,
        ${lateBy(sql.fragment`late.since`)} as reason, null::text as payment_id, s.id as workflow_id
      from subscriptions s join (${lateByOwnClock(LATE_AFTER_SECONDS / 60)}) late on late.id = s.id
      where s.status in ${BILLED} and s.reconciling_since is null`,
    sql.fragment`
      select id, merchant_id, environment, next_action_at as since, amount, currency,
        ${lateBy(sql.fragment`next_action_at`)} as reason, payment_id, id as workflow_id
      from refunds
      where status = 'pending' and reconciling_since is null
        and next_action_at < ${NOW} - ${LATE_AFTER}`,
  ],
  sweep_late: [
    sql.fragment`
      select name as id, null::text as merchant_id, null::text as environment, at as since, null::integer as amount,
        null::text as currency, 'the last sweep was at '
          || to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI" UTC"') as reason,
        null::text as payment_id, null::text as workflow_id
      from heartbeats where name = ${SWEEP} and at < ${NOW} - ${LATE_AFTER}`,
  ],
  database_fenced: [
    sql.fragment`
      select 'restore-' || epoch as id, null::text as merchant_id, null::text as environment, fenced_at as since,
        null::integer as amount, null::text as currency, 'restored and not compared yet' as reason,
        null::text as payment_id, 'restore-' || epoch as workflow_id
      from ledger_copy where fenced_at is not null`,
  ],
  not_in_database: [
    sql.fragment`
      select reference as id, merchant_id, environment, at as since, case when kind <> 'request' then amount end as amount,
        currency,
        case when kind = 'request' then 'lost in the restore: ' || outcome
            || case effect when 'stops' then '; nothing is charged, and it ends with its period'
              when 'pauses' then '; nothing is charged until it resumes: --continue resumes it at once' else '' end
          when exists (select from payments where id = reference)
          then 'the rail reports ' || ${inWords(sql.fragment`restore_findings`)} || ' instead of '
            || (select ${inWords(sql.fragment`p`)} from payments p where p.id = reference)
          else 'the rail has a ' || kind || ' (' || outcome || ') that was created after the backup' end as reason,
        null::text as payment_id, case when kind = 'request' then owner_id end as workflow_id
      from restore_findings where state = 'person'`,
  ],
};
