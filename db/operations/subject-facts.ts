/** A subject's history and related subjects, from PostgreSQL alone. */
import { z } from 'zod';
import { type HistoryEntry, type Subject, subjectHistoryEntry } from '../../contract/operations/subjects.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { type Db, type Fragment, sql } from '../core/pool.ts';
import { isoInstant } from '../core/service-clock.ts';
import { ASKED_BY_OPERATOR } from '../dispute/ask-about-dispute.ts';
import { railAnswersAbout, type ShownRailAnswer } from '../payment/rail-answers.ts';
import { SETTLED_BY_OPERATOR } from '../payment/rail-webhooks.ts';
import { BILLED } from '../subscription/core/billed-statuses.ts';
import { STATUS_NOW } from '../webhook/endpoint-failure.ts';

const HISTORY = 100;
/** Maximum number of delivery attempts in a history: more would displace other entries. */
const ATTEMPTS = 20;
/** Number of the latest delivery attempts to read: attempts with equal results share a row of the history. */
const ATTEMPTS_READ = 1_000;
const PAYMENTS = 20;

const relatedSubject = z.object({
  kind: z.string(),
  id: z.string(),
  state: z.string(),
  environment: z.enum(ENVIRONMENTS),
});

export interface SubjectFacts {
  readonly related: readonly z.infer<typeof relatedSubject>[];
  readonly history: readonly HistoryEntry[];
  readonly railAnswers: readonly ShownRailAnswer[];
  readonly nextAt: string | null;
}

/** @param withPeople whether the history names the people who acted, as the audit log does */
export async function factsOf(db: Db, about: Subject, withPeople = true): Promise<SubjectFacts> {
  const related = await relatedTo(db, about);
  // A payment's history omits the session's other attempts, a merchant's its accounts, and an event's its endpoints.
  const isAlone = ['payment', 'refund', 'merchant'].includes(about.kind);
  const others = isAlone ? [] : related.filter(({ kind }) => kind !== 'endpoint');
  const own = [about.id, ...others.map(({ id }) => id)];
  const [answers, entries, nextAt] = [
    await railAnswersAbout(db, [...own, ...own.map((id) => `${id}-return`)], HISTORY),
    await historyOf(db, own, withPeople),
    await nextActionOf(db, about.id),
  ];
  return { related, history: merged(entries, answers), railAnswers: answers, nextAt };
}

/**
 * Returns related subjects. Sessions and subscriptions are the roots: payments, refunds, disputes, invoices and events
 * belong to them. Requests belong to their subject, endpoints to the events sent to them, and endpoints and rail
 * accounts to their merchant.
 */
export function relatedTo(db: Db, { id }: Pick<Subject, 'id'>) {
  return db.any(sql.type(relatedSubject)`
    with given as (
      select ${id} as id
      union select subject_id from operator_requests where id = ${id}
    ), named as (
      select id as payment_id from payments where id in (select id from given)
      union select payment_id from refunds where id in (select id from given)
      union select payment_id from disputes where id in (select id from given)
      union select substring(aggregate_id from '^ap_pay_[0-9a-z]+') from events where id = ${id}
    ), root as (
      select id as checkout_id, null::text as subscription_id from checkouts where id in (select id from given)
      union select checkout_id, id from subscriptions where id in (select id from given)
      union select p.checkout_id, i.subscription_id
        from named join payments p on p.id = named.payment_id left join invoices i on i.id = p.invoice_id
      union select o.checkout_id, i.subscription_id
        from invoices i left join orders o on o.id = i.order_id where i.id in (select id from given)
      union select c.id, s.id from events e left join checkouts c on c.id = e.aggregate_id
        left join subscriptions s on s.id = e.aggregate_id where e.id = ${id}
    ), subscription as (
      select s.id, s.status, s.environment from subscriptions s
      where s.id in (select subscription_id from root) or s.checkout_id in (select checkout_id from root)
    ), payment as (
      (select p.id, p.status, p.environment, p.created_at from payments p where p.checkout_id in (select checkout_id from root))
      union
      (select p.id, p.status, p.environment, p.created_at from invoices i join payments p on p.invoice_id = i.id
       where i.subscription_id in (select id from subscription)
         and exists (select from root where subscription_id is not null)
       order by p.created_at desc limit ${PAYMENTS})
    )
    select * from (
      select 'session' as kind, id, state, environment from checkouts where id in (select checkout_id from root)
      union all select 'subscription', id, status, environment from subscription
      union all select 'payment', id, status, environment from payment
      union all select 'refund', id, status, environment from refunds where payment_id in (select id from payment)
      union all select 'dispute', id, status, environment from disputes where payment_id in (select id from payment)
      union all select 'order', o.id, o.status, o.environment from orders o where o.checkout_id in (select checkout_id from root)
      union all select 'invoice', i.id, i.status, i.environment from invoices i join orders o on o.id = i.order_id
        where o.checkout_id in (select checkout_id from root)
      union all select 'endpoint', id, ${STATUS_NOW}, environment from webhook_endpoints
        where id in (select endpoint_id from deliveries where event_id = ${id})
      union all select 'endpoint', id, ${STATUS_NOW}, environment from webhook_endpoints
        where merchant_id = ${id} and status <> 'deleted'
      union all select 'rail_account', id, status, environment from rail_accounts where merchant_id = ${id}
    ) all_of_them
    where id <> ${id}
  `);
}

/** Formats a change: `, status active → inactive`. */
const CHANGED = sql.fragment`
  coalesce((
    select string_agg(', ' || key || ' ' || coalesce(before ->> key, 'none') || ' → ' || (after ->> key), '' order by key)
    from jsonb_each(case when jsonb_typeof(before) = 'object' and jsonb_typeof(after) = 'object' then after end) field
    where key not in ('updated_at', 'version', 'reason')
      and jsonb_typeof(value) in ('string', 'number', 'boolean') and before ->> key is distinct from after ->> key), '')`;

function historyOf(db: Db, ids: readonly string[], withPeople: boolean): Promise<readonly HistoryEntry[]> {
  const all = sql.array([...ids], 'text');
  return db.any(sql.type(subjectHistoryEntry)`
    select at, what, id from (
      select created_at as at, 'session created, expires at ' || ${isoInstant(sql.fragment`expires_at`)} as what, id
        from checkouts where id = any (${all})
      union all select finished_at, 'session ' || state || coalesce(' (' || failure_reason || ')', ''), id
        from checkouts where id = any (${all}) and finished_at is not null
      union all select created_at, 'attempt ' || attempt_no || ' claimed', id from payments where id = any (${all})
      union all select call_started_at, 'call to the rail started', id
        from payments where id = any (${all}) and call_started_at is not null
      union all select updated_at, 'now ' || status || coalesce(' (' || failure_code || ')', ''), id
        from payments where id = any (${all}) and status <> 'processing'
      union all select created_at, 'refund requested', id from refunds where id = any (${all})
      union all select updated_at, 'refund ' || status || coalesce(' (' || failure_code || ')', ''), id
        from refunds where id = any (${all}) and status <> 'pending'
      union all select opened_at, 'dispute opened: ' || reason, id from disputes where id = any (${all})
      union all select found_at, 'orphaned: charged after the attempt had ended', payment_id
        from orphaned_charges where payment_id = any (${all})
      union all select returned_at, 'returned to the buyer (' || returned_by || ')', payment_id
        from orphaned_charges where payment_id = any (${all}) and returned_at is not null
      union all select received_at, case
          when starts_with(rail_event_id, ${ASKED_BY_OPERATOR}) and applied_at is null
            then 'an operator asked about the dispute: the rail is asked until it answers'
          when starts_with(rail_event_id, ${ASKED_BY_OPERATOR})
            then 'an operator asked about the dispute: the rail has answered since'
          when hint <> ${SETTLED_BY_OPERATOR} then 'webhook from the rail: ' || hint
          when applied_at is null then 'settled by an operator: the rail is asked until it confirms'
          else 'settled by an operator: the rail has answered since' end, reference
        from rail_webhooks n where reference = any (${all})
          -- Excludes answers of other accounts about the same id (rule 32).
          and n.rail_account_id in (
            select rail_account_id from payments where id = n.reference
            union all select rail_account_id from refunds where id = n.reference
            union all select rail_account_id from disputes where id = n.reference)
      union all ${attemptsOf(sql.fragment`event_id`, all, sql.fragment`'to ' || endpoint_id`)}
      union all ${attemptsOf(sql.fragment`endpoint_id`, all, sql.fragment`'of ' || event_id`)}
      union all select at, 'alert: ' || code, reference from operator_alerts where reference = any (${all})
      union all select occurred_at, 'event ' || type || ' ' || id, aggregate_id from events where aggregate_id = any (${all})
      union all select at, action || ' by ' || actor || ${CHANGED} || coalesce(': ' || (after ->> 'reason'), ''), subject_id
        from audit_log
        where subject_id = any (${all}) and ${withPeople}
      union all select created_at, 'request to settle as ' || outcome || ' by ' || operator
          || coalesce(': ' || answer, ', not answered yet'), subject_id
        from resolve_requests where subject_id = any (${all}) and ${withPeople}
      union all select asked_at, 'requested by ' || asked_by, id
        from operator_requests where id = any (${all}) and ${withPeople}
      union all select confirmed_at, 'confirmed by ' || confirmed_by, id
        from operator_requests where id = any (${all}) and confirmed_at is not null and ${withPeople}
      union all select carried_out_at, coalesce('withdrawn by ' || withdrawn_by, 'executed or refused'), id
        from operator_requests where id = any (${all}) and carried_out_at is not null and ${withPeople}
    ) entries
    order by at desc limit ${HISTORY}
  `);
}

/**
 * Formats delivery attempts: `attempt 3 to ap_whe_…: the endpoint answered 500 (41 ms)`. Consecutive attempts at an
 * endpoint with the same answer share the latest one's row, with the longest time: `(41 ms, at most 9800 ms), 12 times
 * since <the first>`.
 */
function attemptsOf(column: Fragment, ids: ReturnType<typeof sql.array>, which: Fragment) {
  const latest = (value: Fragment) => sql.fragment`(array_agg(${value} order by at desc, attempt desc))[1]`;
  const newestFirst = sql.fragment`order by at desc, event_id, attempt desc`;
  return sql.fragment`
    (select max(at), ${latest(sql.fragment`'attempt ' || attempt || ' ' || ${which}`)} || ': ' || answer
        || ' (' || ${latest(sql.fragment`duration_ms`)} || ' ms'
        || case when max(duration_ms) > ${latest(sql.fragment`duration_ms`)}
          then ', at most ' || max(duration_ms) || ' ms' else '' end || ')'
        || case when count(*) > 1
          then ', ' || count(*) || ' times since ' || ${isoInstant(sql.fragment`min(at)`)} else '' end,
        ${latest(column)}
      from (
        select *, row_number() over (partition by endpoint_id ${newestFirst})
          - row_number() over (partition by endpoint_id, answer ${newestFirst}) as run
        from (
          select *, coalesce(error, 'accepted with ' || status) as answer
          from delivery_attempts where ${column} = any (${ids}) order by at desc limit ${ATTEMPTS_READ}) read) runs
      group by endpoint_id, answer, run order by 1 desc limit ${ATTEMPTS})`;
}

function merged(
  entries: readonly HistoryEntry[],
  answers: readonly ShownRailAnswer[],
): readonly HistoryEntry[] {
  const said = answers.map((answer) => ({
    at: answer.at,
    what: `the rail: ${answerInWords(answer)}`,
    id: answer.reference,
  }));
  return [...entries, ...said].sort((a, b) => (a.at < b.at ? -1 : 1)).slice(-HISTORY);
}

/** Formats a rail's answer: `lookup: unknown, timeout (20000 ms)`. */
export function answerInWords({ operation, outcome, code, detail, took_ms: ms }: ShownRailAnswer): string {
  // A bare "cancel: approved" reads as if the cancel had succeeded.
  const tooLate = operation === 'cancel' && outcome === 'approved' && 'too late';
  return `${operation}: ${[tooLate, outcome, code, detail].filter(Boolean).join(', ')} (${ms} ms)`;
}

async function nextActionOf(db: Db, id: string): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ at: z.string() }))`
    select next_action_at as at from checkouts
      where id = ${id} and state not in ('succeeded', 'failed') and next_action_at is not null
    union all select next_action_at from subscriptions
      where id = ${id} and status in ${BILLED} and next_action_at is not null
    union all select next_action_at from refunds
      where id = ${id} and status = 'pending' and next_action_at is not null
    union all select * from (
      select min(next_attempt_at) as at from deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where (event_id = ${id} or endpoint_id = ${id}) and d.status = 'pending' and e.status = 'enabled') waiting where at is not null
  `);
}
