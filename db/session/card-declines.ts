/** Counts declined first payments to detect card testing. Declined renewals do not count (rule 53). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import {
  type DeclineLimits,
  type Declines,
  KINDS_OF_DECLINES,
  mostDeclines,
  type OpenClicks,
  passedBy,
} from '../../domain/session/card-testing.ts';
import { type Db, type Fragment, sql, type Transaction } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { recordEvent } from '../webhook/events.ts';

/** Counts a decline when it is recorded, so that approved purchases cost no additional statement. */
export async function countDecline(
  tx: Transaction,
  paymentId: string,
  card: Buffer | null,
  limits: DeclineLimits,
): Promise<void> {
  const id = await tx.oneFirst(sql.type(z.object({ id: z.number() }))`
    insert into card_declines (merchant_id, environment, client_id, address, card)
    select p.merchant_id, p.environment, s.client_id, r.address, ${card && sql.binary(card)}::bytea
    from payments p left join storefront_sessions s on s.checkout_id = p.checkout_id
    left join clicks r on r.claim_id = p.claim_id
    where p.id = ${paymentId} returning id
  `);
  const most = mostDeclines(limits);
  if (most > 0) await noteTesting(tx, id, limits, most);
}

const counted = z.object({ recent: z.number(), day: z.number() });
const allCounted = z.object({
  address: counted,
  client: counted,
  merchant: counted,
  card: counted,
}) satisfies z.ZodType<Declines>;
export const declinesOfClick = allCounted.extend({
  /** True if any card has exceeded its limit at this merchant: the rail is then asked for the card of this click. */
  card_tested: z.boolean(),
});

const isRunning = z.object({ running: z.boolean() });
const noted = isRunning.extend({
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  declines: allCounted,
});

/** Selects since when the merchant of decline `c` has exceeded limits without a ten-minute pause: the run's start. */
const RUN = sql.fragment`(
  select max(passing_since) from card_declines d
  where d.merchant_id = c.merchant_id and d.environment = c.environment and d.passing_since is not null
    and d.at > ${NOW} - interval '10 minutes')`;

/**
 * Records card testing as an incident, which lasts until no limit was exceeded for ten minutes. The merchant is
 * notified at the start.
 */
async function noteTesting(tx: Transaction, id: number, limits: DeclineLimits, most: number): Promise<void> {
  // Declines of the same address at other merchants do not imply that this merchant's shop is used for testing.
  const same = {
    address: sql.fragment`d.merchant_id = c.merchant_id and d.address = c.address`,
    client: sql.fragment`d.client_id = c.client_id`,
    card: sql.fragment`d.card = c.card`,
  };
  const decline = await tx.one(sql.type(noted)`
    select c.merchant_id, c.environment, jsonb_build_object(${declinesLike(same, most)}) as declines, ${RUN} is not null as running
    from card_declines c cross join lateral (select service_clock() as at) clock where c.id = ${id}`);
  const passed = passedBy(decline.declines, limits);
  if (passed.length === 0) return;
  const { merchant_id: merchantId, environment } = decline;
  const begins = !decline.running && !(await runsAfterAll(tx, id, merchantId));
  await tx.query(sql.typeAlias('void')`
    update card_declines c set passed = ${passed.join(', ')}, passing_since = coalesce(${RUN}, service_clock())
    where id = ${id}`);
  if (!begins) return;
  await recordEvent(tx, {
    scope: { merchantId, environment },
    type: 'billing.operational_alert',
    aggregateId: `${merchantId}-card_testing`,
    aggregateVersion: id,
    alert: { code: 'card_testing', reference: merchantId },
  });
}

/** Checks again under a lock, so that only one of two transactions begins a run. */
async function runsAfterAll(tx: Transaction, id: number, merchantId: string): Promise<boolean> {
  await tx.query(
    sql.typeAlias('void')`select pg_advisory_xact_lock(hashtext(${`card_testing ${merchantId}`}))`,
  );
  return tx.oneFirst(
    sql.type(isRunning)`select ${RUN} is not null as running from card_declines c where id = ${id}`,
  );
}

export interface Counted {
  readonly address: Buffer;
  /** Maximum number of rows to read. */
  readonly most: number;
}

/** Selects the declines of the session `c` at `clock`; the card is not known yet (`countOfCard`). */
export function selectDeclines(of: Counted | null) {
  if (!of) return sql.fragment`null::jsonb`;
  const client = sql.fragment`(select client_id from storefront_sessions where checkout_id = c.id)`;
  const like = likeClick(sql.fragment`${sql.binary(of.address)}`, client);
  return sql.fragment`jsonb_build_object(${declinesLike(like, of.most)}, 'card_tested', exists (
    select from card_declines d
    where d.merchant_id = c.merchant_id and d.environment = c.environment and d.at > clock.at - interval '1 day'
      and d.passed like '%card%'))`;
}

/** Conditions on decline `d`: its address counts at all merchants; the card of a click is not known yet. */
const likeClick = (address: Fragment, client: Fragment) => ({
  address: sql.fragment`d.address = ${address}`,
  client: sql.fragment`d.client_id = ${client}`,
  card: sql.fragment`false`,
});

/** @param like conditions on decline `d`, which has the address, client or card of row `c` */
function declinesLike(like: Record<'address' | 'client' | 'card', Fragment>, most: number): Fragment {
  const merchant = sql.fragment`d.merchant_id = c.merchant_id`;
  const same = { ...like, merchant, card: sql.fragment`${merchant} and ${like.card}` };
  const parts = KINDS_OF_DECLINES.map(
    (kind) => sql.fragment`${kind}::text, ${countsWhere(same[kind], most)}`,
  );
  return sql.fragment`${sql.join(parts, sql.fragment`, `)}`;
}

function countsWhere(isSame: Fragment, most: number): Fragment {
  return sql.fragment`(
    select jsonb_build_object('day', count(*), 'recent', count(*) filter (where at > clock.at - interval '10 minutes'))
    from (
      select d.at from card_declines d
      where ${isSame} and d.environment = c.environment and d.at > clock.at - interval '1 day'
      order by d.at desc limit ${most}
    ) each)`;
}

const openClicks = z.object({ merchant: z.number(), address: z.number() }) satisfies z.ZodType<OpenClicks>;
const countedWithOpen = z.object({
  declines: allCounted,
  others: openClicks,
  /** Numbers of open clicks stored before this one. */
  ahead: openClicks,
  waited_ms: z.number(),
});

/**
 * Counts the declines against a stored click without a proof, and the merchant's other open clicks of the last
 * `withinSeconds`. Each click is committed before it is counted: of concurrent clicks, the last to commit counts all
 * others, without a lock.
 * @returns null if the click was withdrawn
 */
export function countWithOpenClicks(
  db: Db,
  claimId: string,
  withinSeconds: number,
  limits: DeclineLimits,
): Promise<z.infer<typeof countedWithOpen> | null> {
  const client = sql.fragment`(select client_id from storefront_sessions where checkout_id = c.checkout_id)`;
  const like = likeClick(sql.fragment`c.address`, client);
  // Counting beyond the merchant's limit would not change the answer.
  return db.maybeOne(sql.type(countedWithOpen)`
    select jsonb_build_object(${declinesLike(like, mostDeclines(limits))}) as declines, open.others, open.ahead,
      ms_between(c.created_at, clock.at) as waited_ms
    from clicks c
    cross join lateral (select service_clock() as at) clock
    cross join lateral (
      select
        jsonb_build_object('merchant', count(*), 'address', count(*) filter (where is_same)) as others,
        jsonb_build_object('merchant', count(*) filter (where is_ahead),
          'address', count(*) filter (where is_ahead and is_same)) as ahead
      from (
        select o.address = c.address as is_same, (o.created_at, o.claim_id) < (c.created_at, c.claim_id) as is_ahead
        from clicks o
        where o.merchant_id = c.merchant_id and o.environment = c.environment and o.claim_id <> c.claim_id
          and o.created_at > clock.at - ${withinSeconds}::float8 * interval '1 second'
          and o.address is not null and not o.proved
          and not exists (select from payments p where p.claim_id = o.claim_id and p.status <> 'processing')
        order by o.created_at, o.claim_id limit ${limits.perMerchant || null}
      ) each
    ) open
    where c.claim_id = ${claimId} and not c.proved
  `);
}

/** Counts a card's declines. Only called while a card has exceeded its limit at the merchant. */
export function countOfCard(
  db: Db,
  checkoutId: string,
  card: Buffer,
  most: number,
): Promise<Declines['card']> {
  const isSame = sql.fragment`d.merchant_id = c.merchant_id and d.card = ${sql.binary(card)}`;
  return db.oneFirst(sql.type(z.object({ card: counted }))`
    select ${countsWhere(isSame, most)} as card
    from checkouts c cross join lateral (select service_clock() as at) clock where c.id = ${checkoutId}`);
}

/**
 * Deletes old declines, and the addresses of old clicks, even of those that created no attempt.
 *
 * @returns how many rows were changed or deleted
 */
export async function deleteDeclines(db: Db, limit: number): Promise<number> {
  const { rowCount: deleted } = await db.query(sql.typeAlias('void')`
    delete from card_declines where id = any (array(
      select id from card_declines where at < ${NOW} - interval '1 day' order by at limit ${limit}))`);
  const { rowCount: cleared } = await db.query(sql.typeAlias('void')`
    update clicks set address = null where claim_id = any (array(
      select claim_id from clicks
      where address is not null and created_at < ${NOW} - interval '1 day' order by created_at limit ${limit}))`);
  return Math.max(deleted, cleared);
}
