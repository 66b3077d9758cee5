/** What reaches a subscription's workflow, and what must hold after each message. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import {
  canMoveSubscription,
  isFinishedSubscription,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from '../../../domain/subscription/subscription.ts';
import type { SubscriptionView } from '../../../domain/subscription/subscription-plan.ts';
import { mandateOf, railCredentialOf } from '../../../secrets/places.ts';
import { railNewsSignal, wakeSignal } from '../../../workflows/core/messages.ts';
import {
  advanceClockUpdate,
  cancelChangeUpdate,
  cancelSubscriptionUpdate,
  methodUpdatedUpdate,
  type OperationReply,
  resolveChargeUpdate,
  scheduleChangeUpdate,
} from '../../../workflows/subscription/subscription-messages.ts';
import { insertShop, RECURRING, type Shop, testSecretBox } from '../../support/db/fixtures.ts';
import { insertOffering, insertPlan, insertSubscription } from '../../support/db/subscriptions.ts';
import type { SessionWorld } from '../../support/world/checkout-world.ts';
import { startIt, subscribe, update, viewOf } from '../../support/world/subscription-world.ts';
import type { Machine } from './explore.ts';
import type { Script, ScriptedRail } from './scripted-rail.ts';
import { must, tellOfLateCharges, tooLate, unlessOver } from './session-messages.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Moves of the sandbox clock, and what the rail makes of the charges that they cause. */
const MOVES = {
  'the period ends': ['period', 'answered'],
  'the period ends, declined': ['period', 'declined'],
  'the period ends, its call is lost': ['period', 'lost'],
  'the period ends, its answers are lost': ['period', 'silent'],
  'three days pass': ['days', 'answered'],
  'three days pass, declined': ['days', 'declined'],
} as const satisfies Record<string, readonly ['period' | 'days', Script]>;
type Move = keyof typeof MOVES;

const OTHERS = [
  'cancel',
  'cancel with the period',
  'change the plan',
  'take the change back',
  'news, the rail answers again',
  'a new method',
  'resolve as paid',
  'resolve as failed',
  'wake',
  'the time to call is over',
  'another run',
] as const;
export type SubscriptionLetter = Move | (typeof OTHERS)[number];
const LETTERS = [...(Object.keys(MOVES) as Move[]), ...OTHERS] as const;

interface Subscription {
  readonly id: string;
  readonly shop: Shop;
  /** The plan to change to. */
  readonly plus: string;
  status: SubscriptionStatus;
}

const charge = z.object({
  id: z.string(),
  status: z.string(),
  invoice_id: z.string(),
  invoice: z.string(),
  is_open: z.boolean(),
  is_call_over: z.boolean(),
});

/** What the rail makes of a payment: of the subscription that it is for. */
export class SubscriptionScripts {
  readonly #next = new Map<string, Script>();

  set(subscriptionId: string, script: Script): void {
    this.#next.set(subscriptionId, script);
  }

  async of({ pool }: SessionWorld, paymentId: string): Promise<Script | undefined> {
    const id = await pool.maybeOneFirst(sql.type(z.object({ subscription_id: z.string() }))`
      select i.subscription_id from payments p join invoices i on i.id = p.invoice_id
      where p.id = ${paymentId} and p.checkout_id is null
    `);
    return id ? (this.#next.get(id) ?? 'answered') : undefined;
  }
}

export async function subscriptionMachine(
  world: SessionWorld,
  rail: ScriptedRail,
  scripts: SubscriptionScripts,
): Promise<Machine<SubscriptionLetter, Subscription>> {
  const { pool } = world;
  const handle = (id: string) => world.client.workflow.getHandle(id);
  const mandate = await boughtMandate(world);

  const chargesOf = (id: string) =>
    pool.any(sql.type(charge)`
      select p.id, p.status, p.invoice_id, i.status as invoice, p.status in ('processing', 'requires_action') as is_open,
        p.status = 'processing' and coalesce(p.call_deadline < service_clock(), false) as is_call_over
      from payments p join invoices i on i.id = p.invoice_id
      where i.subscription_id = ${id} and p.checkout_id is null order by p.created_at, p.id
    `);

  async function begin(): Promise<Subscription> {
    const shop = await anotherShop(world);
    const offering = await insertOffering(pool, shop.merchantId);
    const basic = await insertPlan(pool, shop.merchantId, offering, RECURRING);
    const plus = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, amount: 1_900 });
    const id = await insertSubscription(pool, shop, basic);
    await useMandate(world, id, mandate);
    await startIt(world, id);
    await settled(id);
    return { id, shop, plus, status: 'active' };
  }

  /** Everything that is due is done, and everything that was sent is answered: the inbox is a queue. */
  async function settled(id: string): Promise<void> {
    for (const end = performance.now() + 60_000; ; await pause(50)) {
      const before = await viewOf(world, id);
      await unlessOver(update(world, id, cancelChangeUpdate, { changeId: 'never-scheduled' }));
      const view = await viewOf(world, id);
      if (isFinishedSubscription(view.status)) return;
      const isDue = view.next !== null && view.next.inMs <= 0 && !view.openPayment;
      if (!isDue && view.openPayment?.called !== false && view.version === before.version) return;
      must(performance.now() < end, `it does not come to rest: ${JSON.stringify(view)}`);
    }
  }

  async function move(id: string, [until, script]: (typeof MOVES)[Move]): Promise<void> {
    scripts.set(id, script);
    const view = await viewOf(world, id);
    const now = await clockOf(world, id);
    const end = Date.parse(view.currentPeriodEnd ?? now);
    const to = until === 'period' ? Math.max(end, Date.parse(now)) + HOUR_MS : Date.parse(now) + 3 * DAY_MS;
    const reply = update(world, id, advanceClockUpdate, { to: new Date(to).toISOString() });
    await unlessOver(reply.then((answer) => must(!isCrowded(answer), 'too many clocks move')));
  }

  async function send({ id, plus }: Subscription, letter: SubscriptionLetter): Promise<void> {
    const run = handle(id);
    const latest = (await chargesOf(id)).at(-1)?.id ?? 'none';
    switch (letter) {
      case 'cancel':
      case 'cancel with the period': {
        const atPeriodEnd = letter !== 'cancel';
        return unlessOver(update(world, id, cancelSubscriptionUpdate, { atPeriodEnd }));
      }
      case 'change the plan': {
        const change = { type: 'plan_change', targetPlanId: plus, targetOfferingId: null } as const;
        return unlessOver(update(world, id, scheduleChangeUpdate, change));
      }
      case 'take the change back': {
        const changeId = await scheduledChange(id);
        return unlessOver(update(world, id, cancelChangeUpdate, { changeId }));
      }
      case 'news, the rail answers again':
        rail.speakAgain(latest);
        return unlessOver(run.signal(railNewsSignal, { paymentId: latest }));
      case 'a new method':
        scripts.set(id, 'answered');
        return unlessOver(run.executeUpdate(methodUpdatedUpdate));
      case 'resolve as paid':
      case 'resolve as failed': {
        const outcome = letter === 'resolve as paid' ? 'succeeded' : 'failed';
        const request = { outcome, operator: 'on-call', reason: 'silence', evidence: 'ticket 7' } as const;
        return unlessOver(run.executeUpdate(resolveChargeUpdate, { args: [request] }));
      }
      case 'wake':
        return unlessOver(run.signal(wakeSignal));
      case 'the time to call is over':
        return endCalls(world, id);
      case 'another run':
        if (isFinishedSubscription((await viewOf(world, id)).status)) return;
        await unlessOver(run.terminate('another run adopts what is open'));
        return startIt(world, id);
      default:
        return move(id, MOVES[letter]);
    }
  }

  async function scheduledChange(id: string): Promise<string> {
    const found = await pool.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
      select id from subscription_changes where subscription_id = ${id} and status = 'scheduled'
    `);
    return found ?? 'none';
  }

  async function look(subscription: Subscription): Promise<string> {
    const view = await viewOf(world, subscription.id);
    const charges = await chargesOf(subscription.id);
    const open = charges.filter(({ is_open }) => is_open);
    must(open.length <= 1, `${open.length} charges are open`);
    const mayMove = view.status === subscription.status || canReach(subscription.status, view.status);
    must(mayMove, `a subscription moved from ${subscription.status} to ${view.status}`);
    subscription.status = view.status;
    const paidTwice = charges.filter(
      (one) =>
        one.status === 'succeeded' &&
        charges.some(
          (other) => other !== one && other.invoice_id === one.invoice_id && other.status === 'succeeded',
        ),
    );
    must(paidTwice.length === 0, 'a period is paid twice');
    return describe(world, rail, view, charges);
  }

  async function end(subscription: Subscription): Promise<void> {
    const { id } = subscription;
    scripts.set(id, 'answered');
    for (let turn = 0; turn < 8 && !isFinishedSubscription((await viewOf(world, id)).status); turn++) {
      for (const each of await chargesOf(id)) rail.speakAgain(each.id);
      await endCalls(world, id);
      await unlessOver(handle(id).signal(wakeSignal));
      const open = (await viewOf(world, id)).openPayment?.paymentId;
      if (open) await unlessOver(handle(id).signal(railNewsSignal, { paymentId: open }));
      // A scheduled change refuses a cancellation.
      await unlessOver(update(world, id, cancelChangeUpdate, { changeId: await scheduledChange(id) }));
      await unlessOver(update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: false }));
      await settled(id);
    }
    const { status } = await viewOf(world, id);
    must(isFinishedSubscription(status), `it does not end: ${status}`);
    await look(subscription);
    await Promise.race([handle(id).result(), tooLate(`the run of a subscription that is ${status} goes on`)]);
    await moneyAgrees(subscription);
  }

  /** The rail has the money of each paid charge, and of no other, once late charges are back (rule 7). */
  async function moneyAgrees({ id, shop }: Subscription): Promise<void> {
    const charges = await chargesOf(id);
    for (const end = performance.now() + 60_000; ; await pause(2_000)) {
      await tellOfLateCharges(world, rail, charges, shop);
      const kept = await Promise.all(charges.map((each) => rail.keptOf(each.id)));
      const isWrong = charges.map(({ status }, n) => (kept[n] ?? 0) > 0 !== (status === 'succeeded'));
      const unproven = charges.filter(({ status }, n) => isWrong[n] && status === 'succeeded');
      const wrong = isWrong.filter(Boolean).length;
      if (wrong === 0 || (wrong === unproven.length && (await wasResolved(id)))) return;
      const statuses = charges.map(({ status }) => status).join(', ');
      must(performance.now() < end, `charges are ${statuses} with ${kept.join(', ')} cents at the rail`);
    }
  }

  const wasResolved = (id: string) =>
    pool.exists(sql.unsafe`
      select from audit_log where subject_id = ${id} and action = 'subscription.resolve'
    `);

  return {
    letters: LETTERS,
    begin,
    async send(subscription, letter) {
      await send(subscription, letter);
      await settled(subscription.id);
    },
    look,
    end,
  };
}

async function describe(
  world: SessionWorld,
  rail: ScriptedRail,
  view: SubscriptionView,
  charges: readonly z.infer<typeof charge>[],
): Promise<string> {
  if (isFinishedSubscription(view.status)) return view.status;
  const open = charges.find(({ is_open }) => is_open);
  const unpaid = new Map(
    charges.filter(({ invoice }) => invoice !== 'created').map((each) => [each.invoice_id, each]),
  );
  const now = await clockOf(world, view.subscriptionId);
  const days = (ms: number) => Math.round(ms / DAY_MS);
  const since = (at: string) => days(Date.parse(at) - Date.parse(now));
  const parts = [
    view.status,
    `${view.amount} cents`,
    // Months differ in length.
    view.next &&
      `${view.next.action} in ${days(view.next.inMs) > 24 ? 'a month' : `${days(view.next.inMs)} days`}`,
    view.cancelAtPeriodEnd && 'ends with its period',
    view.change?.type,
    view.dunning &&
      `dunning ${view.dunning.step} of ${view.dunning.steps}, ends in ${since(view.dunning.endsAt)} days`,
    view.lastFailure,
    view.clockTarget && 'the clock moves',
    view.reconciling && 'in doubt',
    open &&
      `${open.is_call_over ? 'call over' : open.status}, ${rail.isSilent(open.id) ? 'silent' : 'answering'}, ${await rail.truthOf(open.id)}`,
    unpaid.size > 0 && `${unpaid.size} unpaid`,
    await cancelAsked(world, view.subscriptionId),
  ];
  return parts.filter(Boolean).join(' · ');
}

async function cancelAsked({ pool }: SessionWorld, id: string): Promise<string | false> {
  const asked = await pool.exists(sql.unsafe`
    select from subscriptions where id = ${id} and cancel_requested_at is not null
  `);
  return asked && 'to be cancelled';
}

function clockOf({ pool }: SessionWorld, id: string): Promise<string> {
  return pool.oneFirst(sql.type(z.object({ now: z.string() }))`select subscription_clock(${id}) as now`);
}

/** From now on a call that the rail does not know was never sent (rule 4). */
async function endCalls({ pool }: SessionWorld, id: string): Promise<void> {
  await pool.query(sql.unsafe`
    update payments p set call_deadline = service_clock() - interval '1 minute' from invoices i
    where i.id = p.invoice_id and i.subscription_id = ${id} and p.status = 'processing' and p.call_deadline is not null
  `);
}

/** A mandate that the rail knows; it allows charges of any customer. */
async function boughtMandate(world: SessionWorld): Promise<string> {
  const id = await subscribe(world);
  const row = z.object({ credential_secret_ref: z.instanceof(Buffer), customer_id: z.string() });
  const found = await world.pool.one(sql.type(row)`
    select p.credential_secret_ref, s.customer_id
    from subscriptions s join payments p on p.checkout_id = s.checkout_id where s.id = ${id}
  `);
  return testSecretBox.open(found.credential_secret_ref, mandateOf(found.customer_id));
}

async function useMandate({ pool }: SessionWorld, id: string, mandate: string): Promise<void> {
  const customer = await pool.oneFirst(sql.type(z.object({ customer_id: z.string() }))`
    select customer_id from subscriptions where id = ${id}
  `);
  const sealed = testSecretBox.seal(mandate, mandateOf(customer));
  await pool.query(sql.unsafe`
    update subscriptions set credential_secret_ref = ${sql.binary(sealed)} where id = ${id}
  `);
}

const isCrowded = (answer: OperationReply) =>
  answer.kind === 'refused' && answer.reason === 'advances_running';

/** A merchant moves two clocks at a time: each subscription has its own, on one account at the rail. */
async function anotherShop({ pool, shop }: SessionWorld): Promise<Shop> {
  const another = await insertShop(pool);
  const sealed = await pool.oneFirst(sql.type(z.object({ credential: z.instanceof(Buffer) }))`
    select credential from rail_accounts where id = ${shop.railAccountId}
  `);
  const opened = testSecretBox.open(sealed, railCredentialOf(shop.railAccountId));
  const credential = testSecretBox.seal(opened, railCredentialOf(another.railAccountId));
  await pool.query(sql.unsafe`
    update rail_accounts set credential = ${sql.binary(credential)} where id = ${another.railAccountId}
  `);
  return another;
}

function canReach(from: SubscriptionStatus, to: SubscriptionStatus): boolean {
  const reached = new Set<SubscriptionStatus>([from]);
  for (const each of reached)
    for (const next of SUBSCRIPTION_STATUSES) if (canMoveSubscription(each, next)) reached.add(next);
  return reached.has(to);
}
