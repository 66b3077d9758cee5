/**
 * The figures of platform/observability/database-gauges.ts, in two statements. Each reads open or exceptional rows
 * through a partial index, so that a million finished sessions do not slow it down.
 */
import { z } from 'zod';
import { RECORDED_KINDS, type RecordedKind } from '../../contract/operations/incident-kinds.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { CURRENCIES } from '../../domain/core/money.ts';
import { SESSION_STATES } from '../../domain/session/session.ts';
import type { Figure, FigureName, Figures } from '../../platform/observability/database-gauges.ts';
import { LATE_AFTER, SWEEP } from '../core/heartbeats.ts';
import { type Db, sql } from '../core/pool.ts';
import { BILLED } from '../subscription/core/billed-statuses.ts';
import { holdsUp, STATUS_NOW } from '../webhook/endpoint-failure.ts';
import { foundOf, PAUSED_BY } from './incident-sources.ts';

/** Limit for counting waiting deliveries: an endpoint that has been down for days may have millions. */
const COUNTED_DELIVERIES = 10_000;

/**
 * Kinds counted by state, because alerts treat the states differently: an operator's pause causes only a ticket and
 * must not hide a failing rail; an account that fails while others at its rail sell affects one merchant; late renewals
 * have an alert of their own.
 */
const RAIL_UNAVAILABLE = 'rail_unavailable' satisfies RecordedKind;
const OVERDUE = 'overdue' satisfies RecordedKind;
const STATES = {
  [RAIL_UNAVAILABLE]: ['paused', 'account_fails', 'rail_fails'],
  [OVERDUE]: ['session', 'refund', 'subscription'],
} as const;
/** Maximum number of newest attempts that decide whether a rail sells: of all its accounts, and of each account. */
const JUDGED_ATTEMPTS = 500;
const LAST_OF_ACCOUNT = 3;

const incident = z.object({
  kind: z.enum(RECORDED_KINDS),
  environment: z.enum(ENVIRONMENTS),
  state: z.enum([...STATES[RAIL_UNAVAILABLE], ...STATES[OVERDUE]]).nullable(),
  merchant: z.string().nullable(),
  currency: z.string().nullable(),
  count: z.number(),
  amount: z.number().nullable(),
  age: z.number(),
});
type Incident = z.infer<typeof incident>;

/** The kinds whose amounts `CheckoutMoneyAtStake` evaluates. */
const AT_STAKE: readonly Incident['kind'][] = ['reconciliation_required', 'orphaned_charge'];

export async function readBusinessFigures(
  db: Db,
  { perMerchant }: { readonly perMerchant: boolean },
): Promise<Figures> {
  // In sequence, on one connection.
  const incidents = await readIncidents(db, perMerchant);
  const others = await readOthers(db);
  return [...incidentFigures(incidents), ...others, ...atLeastZero(others)];
}

/** Counts the incidents of `npm run ops -- list`. */
function readIncidents(db: Db, perMerchant: boolean): Promise<readonly Incident[]> {
  return db.any(sql.type(incident)`
    with ${foundOf(RECORDED_KINDS)},
    beside_selling as materialized (
      select failing.rail_account_id from rail_breakers failing
      where state = 'open' and exists (
        select from (
          select rail_account_id, outcome, at, row_number() over (partition by rail_account_id order by id desc) as nth
          from (
            select id, rail_account_id, outcome, at from rail_answers
            where rail = failing.rail and environment = failing.environment and is_attempt
            order by id desc limit ${JUDGED_ATTEMPTS}
          ) judged
        ) attempt
        where nth <= ${LAST_OF_ACCOUNT} and attempt.rail_account_id <> failing.rail_account_id and outcome <> 'unknown'
          and at > service_clock() - interval '1 hour' and not exists (
            select from rail_breakers other
            where other.rail_account_id = attempt.rail_account_id and other.state = 'open'))
    )
    select kind, coalesce(environment, 'production') as environment,
      case when kind = ${OVERDUE} then
        case left(id, 7) when 'ap_ref_' then 'refund' when 'ap_sub_' then 'subscription' else 'session' end
      when kind = ${RAIL_UNAVAILABLE} then case
        -- A pause by a restore is not an operator's decision: it stops the merchant's sales.
        when starts_with(reason, ${`${PAUSED_BY}restore:`}) then 'account_fails'
        when starts_with(reason, ${PAUSED_BY}) then 'paused'
        when id in (select rail_account_id from beside_selling) then 'account_fails' else 'rail_fails' end end as state,
      case when ${perMerchant} then merchant_id end as merchant, currency,
      count(*), sum(amount)::float8 as amount,
      greatest(0, ms_between(min(since), service_clock()) / 1000) as age
    from found
    group by 1, 2, 3, 4, 5
  `);
}

function incidentFigures(found: readonly Incident[]): Figures {
  const figures: Figure[] = [];
  const groups = Map.groupBy(found, ({ kind, environment, state, merchant }) =>
    [kind, environment, state, merchant].join(),
  );
  for (const kind of RECORDED_KINDS) {
    for (const environment of ENVIRONMENTS)
      for (const state of kind === RAIL_UNAVAILABLE || kind === OVERDUE ? STATES[kind] : [null])
        if (!groups.has([kind, environment, state, null].join())) none(kind, environment, state);
  }
  for (const rows of groups.values()) {
    const { kind, environment, state, merchant } = rows[0] as Incident;
    const attributes = { kind, environment, ...(state && { state }), ...(merchant && { merchant }) };
    figures.push(
      { name: 'checkout.incident.open', attributes, value: rows.reduce((sum, row) => sum + row.count, 0) },
      { name: 'checkout.incident.oldest.age', attributes, value: Math.max(...rows.map(({ age }) => age)) },
    );
    for (const { currency, amount } of rows) {
      if (currency && amount !== null)
        figures.push({
          name: 'checkout.incident.amount',
          attributes: { ...attributes, currency },
          value: amount,
        });
    }
  }
  return figures;

  /** Adds a zero for kinds without incidents: an alert rule on an absent series would never clear. */
  function none(
    kind: Incident['kind'],
    environment: Incident['environment'],
    state: Incident['state'],
  ): void {
    const attributes = { kind, environment, ...(state && { state }) };
    figures.push(
      { name: 'checkout.incident.open', attributes, value: 0 },
      { name: 'checkout.incident.oldest.age', attributes, value: 0 },
    );
    if (!AT_STAKE.includes(kind)) return;
    for (const currency of CURRENCIES)
      figures.push({ name: 'checkout.incident.amount', attributes: { ...attributes, currency }, value: 0 });
  }
}

const other = z.object({
  name: z.string().transform((name) => name as FigureName),
  attributes: z.record(z.string(), z.string()),
  value: z.number(),
});

function readOthers(db: Db): Promise<Figures> {
  return db.any(sql.type(other)`
    with moment as materialized (select service_clock() as at),
    sessions as materialized (
      select c.state, c.environment, count(*)::float8 as count,
        ms_between(min(coalesce(p.created_at, c.created_at)), (select at from moment)) / 1000 as age
      from checkouts c
      left join payments p on p.checkout_id = c.id and p.status not in ('failed', 'cancelled')
        and c.state <> 'created'
      where c.state not in ('succeeded', 'failed')
      group by 1, 2
    ),
    -- Clicks keep their address until their attempt ends. Merchants are read only if there is an expired click.
    expired as materialized (
      select environment, checkout_id, created_at from clicks
      where address is not null and not_after < (select at from moment)
        and created_at > (select at from moment) - interval '5 minutes'
        and not exists (select from payments where claim_id = clicks.claim_id)
    ),
    taken as materialized (
      select environment, max(latest.at) as at
      from (select distinct environment from expired) of_expired cross join merchants m
      cross join lateral (
        select created_at as at from payments
        where merchant_id = m.id and environment = of_expired.environment and checkout_id is not null
          and unix_ms(created_at) > unix_ms((select at from moment) - interval '5 minutes')
          -- A link's payment is dated by its subscription's clock, which may be ahead in the sandbox.
          and unix_ms(created_at) <= unix_ms((select at from moment))
        order by unix_ms(created_at) desc, id desc limit 1
      ) latest
      group by environment
    ),
    -- The deliveries of other endpoints, pending or held, wait for the operator or the merchant.
    enabled as materialized (select id, failing_since from webhook_endpoints where status = 'enabled'),
    waiting as materialized (
      select count(*)::float8 as count,
        coalesce(ms_between(min(created_at), (select at from moment)) / 1000, 0) as age
      from (
        select created_at from deliveries
        where status = 'pending' and endpoint_id in (select id from enabled) order by next_attempt_at
        limit ${COUNTED_DELIVERIES}
      ) some_pending
    ),
    due as materialized (
      select environment, count(*)::float8 as count,
        count(*) filter (where next_action_at < (select at from moment) - ${LATE_AFTER})::float8 as late
      from subscriptions
      where status in ${BILLED} and next_action_at <= (select at from moment)
        and reconciling_since is null
      group by 1
    )
    select 'checkout.session.open' as name, jsonb_build_object('state', state, 'environment', environment) as attributes,
      count as value from sessions
    union all
    select 'checkout.session.oldest.age', jsonb_build_object('state', state, 'environment', environment), age
    from sessions
    union all
    select 'checkout.click.expired', jsonb_build_object('environment', environment),
      count(distinct checkout_id)::float8
    from expired left join taken using (environment)
    where taken.at is null or expired.created_at > taken.at
    group by environment
    union all
    select 'checkout.webhook.undelivered', '{}', count from waiting
    union all
    select 'checkout.webhook.undelivered.oldest.age', '{}', age from waiting
    union all
    select 'checkout.webhook.overdue.age', '{}', coalesce(greatest(0, ms_between((
      select min(due.at) from enabled cross join lateral (
        select next_attempt_at as at from deliveries
        where endpoint_id = enabled.id and status = 'pending' order by next_attempt_at limit 1
      ) due
      where due.at > (select at from moment) - interval '1 minute'
        or not ${holdsUp(sql.fragment`enabled.id`, sql.fragment`enabled.failing_since`)}
    ), (select at from moment)) / 1000), 0)
    union all
    select 'checkout.webhook.endpoints', jsonb_build_object('environment', environment, 'state', ${STATUS_NOW}),
      count(*)::float8
    from webhook_endpoints where status <> 'deleted' group by 2
    union all
    select 'checkout.subscription.past_due', jsonb_build_object('environment', environment), count(*)::float8
    from subscriptions where status = 'past_due' group by environment
    union all
    select 'checkout.renewal.due', jsonb_build_object('environment', environment), count from due
    union all
    select 'checkout.renewal.late', jsonb_build_object('environment', environment), late from due
    union all
    select 'checkout.sweep.age', '{}', ms_between(at, (select at from moment)) / 1000
    from heartbeats where name = ${SWEEP}
  `);
}

/** Adds a 0 for each group without rows. */
function atLeastZero(found: Figures): Figures {
  const has = new Set(found.map(keyOf));
  const expected = ENVIRONMENTS.flatMap((environment): readonly Omit<Figure, 'value'>[] => [
    ...SESSION_STATES.filter((state) => state !== 'succeeded' && state !== 'failed').flatMap((state) => [
      { name: 'checkout.session.open' as const, attributes: { state, environment } },
      { name: 'checkout.session.oldest.age' as const, attributes: { state, environment } },
    ]),
    ...ENDPOINT_STATES.map((state) => ({
      name: 'checkout.webhook.endpoints' as const,
      attributes: { state, environment },
    })),
    { name: 'checkout.click.expired', attributes: { environment } },
    { name: 'checkout.subscription.past_due', attributes: { environment } },
    { name: 'checkout.renewal.due', attributes: { environment } },
    { name: 'checkout.renewal.late', attributes: { environment } },
  ]);
  return expected.filter((figure) => !has.has(keyOf(figure))).map((figure) => ({ ...figure, value: 0 }));
}

const ENDPOINT_STATES = ['enabled', 'failing', 'paused', 'disabled'] as const;

function keyOf({ name, attributes }: Omit<Figure, 'value'>): string {
  return JSON.stringify([name, attributes.environment, attributes.state]);
}
