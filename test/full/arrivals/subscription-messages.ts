/** Messages that reach a subscription's workflow, and the invariants after each message. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import {
  canTransitionSubscription,
  isFinishedSubscription,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from '../../../domain/subscription/subscription.ts';
import type { SubscriptionView } from '../../../domain/subscription/subscription-view.ts';
import { railWebhookSignal, wakeSignal } from '../../../workflows/core/messages.ts';
import {
  advanceClockUpdate,
  cancelChangeUpdate,
  cancelSubscriptionUpdate,
  methodUpdatedUpdate,
  type OperationAnswer,
  resolveChargeUpdate,
  scheduleChangeUpdate,
} from '../../../workflows/subscription/subscription-messages.ts';
import { RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { insertOffering, insertPlan, insertSubscription } from '../../support/db/subscriptions.ts';
import type { SessionWorld } from '../../support/world/checkout-world.ts';
import { startIt, update, viewOf } from '../../support/world/subscription-world.ts';
import type { Machine } from './explore.ts';
import type { Script, ScriptedRail } from './scripted-rail.ts';
import { must, tellOfLateCharges, tooLate, unlessOver } from './session-messages.ts';
import {
  anotherShop,
  boughtMandate,
  type Charge,
  cancelAsked,
  chargesOf,
  clockOf,
  endCalls,
  scheduledChange,
  useMandate,
  wasResolved,
} from './subscription-rows.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Moves of the sandbox clock, and the rail's outcome for the charge that each causes. */
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
  'withdraw the change',
  'webhook, the rail answers again',
  'a new method',
  'resolve as paid',
  'resolve as failed',
  'wake',
  'the call deadline passes',
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

/** The rail's outcome for a payment, by its subscription. */
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

export class SubscriptionMachine implements Machine<SubscriptionLetter, Subscription> {
  readonly letters = LETTERS;
  readonly #world: SessionWorld;
  readonly #rail: ScriptedRail;
  readonly #scripts: SubscriptionScripts;
  readonly #mandate: string;

  static async open(
    world: SessionWorld,
    rail: ScriptedRail,
    scripts: SubscriptionScripts,
  ): Promise<SubscriptionMachine> {
    return new SubscriptionMachine(world, rail, scripts, await boughtMandate(world));
  }

  private constructor(
    world: SessionWorld,
    rail: ScriptedRail,
    scripts: SubscriptionScripts,
    mandate: string,
  ) {
    this.#world = world;
    this.#rail = rail;
    this.#scripts = scripts;
    this.#mandate = mandate;
  }

  async begin(): Promise<Subscription> {
    const { pool } = this.#world;
    const shop = await anotherShop(this.#world);
    const offering = await insertOffering(pool, shop.merchantId);
    const basic = await insertPlan(pool, shop.merchantId, offering, RECURRING);
    const plus = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, amount: 1_900 });
    const id = await insertSubscription(pool, shop, basic);
    await useMandate(this.#world, id, this.#mandate);
    await startIt(this.#world, id);
    await this.#settled(id);
    return { id, shop, plus, status: 'active' };
  }

  async send(subscription: Subscription, letter: SubscriptionLetter): Promise<void> {
    await this.#give(subscription, letter);
    await this.#settled(subscription.id);
  }

  /** All due work is done and all messages are answered: the inbox is a queue. */
  async #settled(id: string): Promise<void> {
    for (const end = performance.now() + 60_000; ; await pause(50)) {
      const before = await viewOf(this.#world, id);
      await unlessOver(update(this.#world, id, cancelChangeUpdate, { changeId: 'never-scheduled' }));
      const view = await viewOf(this.#world, id);
      if (isFinishedSubscription(view.status)) return;
      const isDue = view.next !== null && view.next.inMs <= 0 && !view.openAttempt;
      if (!isDue && view.openAttempt?.called !== false && view.version === before.version) return;
      must(performance.now() < end, `it does not settle: ${JSON.stringify(view)}`);
    }
  }

  async #move(id: string, [until, script]: (typeof MOVES)[Move]): Promise<void> {
    this.#scripts.set(id, script);
    const view = await viewOf(this.#world, id);
    const now = await clockOf(this.#world, id);
    const end = Date.parse(view.currentPeriodEnd ?? now);
    const to = until === 'period' ? Math.max(end, Date.parse(now)) + HOUR_MS : Date.parse(now) + 3 * DAY_MS;
    const reply = update(this.#world, id, advanceClockUpdate, { to: new Date(to).toISOString() });
    await unlessOver(reply.then((answer) => must(!isCrowded(answer), 'too many clocks move')));
  }

  async #give({ id, plus }: Subscription, letter: SubscriptionLetter): Promise<void> {
    const run = this.#run(id);
    const latest = (await chargesOf(this.#world, id)).at(-1)?.id ?? 'none';
    switch (letter) {
      case 'cancel':
      case 'cancel with the period': {
        const atPeriodEnd = letter !== 'cancel';
        return unlessOver(update(this.#world, id, cancelSubscriptionUpdate, { atPeriodEnd }));
      }
      case 'change the plan': {
        const change = {
          type: 'plan_change',
          targetPlanId: plus,
          targetOfferingId: null,
          calculatedAt: null,
        } as const;
        return unlessOver(update(this.#world, id, scheduleChangeUpdate, change));
      }
      case 'withdraw the change': {
        const changeId = await scheduledChange(this.#world, id);
        return unlessOver(update(this.#world, id, cancelChangeUpdate, { changeId }));
      }
      case 'webhook, the rail answers again':
        this.#rail.speakAgain(latest);
        return unlessOver(run.signal(railWebhookSignal, { attemptId: latest }));
      case 'a new method':
        this.#scripts.set(id, 'answered');
        return unlessOver(run.executeUpdate(methodUpdatedUpdate));
      case 'resolve as paid':
      case 'resolve as failed': {
        const outcome = letter === 'resolve as paid' ? 'succeeded' : 'failed';
        const request = { outcome, operator: 'on-call', reason: 'silence', evidence: 'ticket 7' } as const;
        return unlessOver(run.executeUpdate(resolveChargeUpdate, { args: [request] }));
      }
      case 'wake':
        return unlessOver(run.signal(wakeSignal));
      case 'the call deadline passes':
        return endCalls(this.#world, id);
      case 'another run':
        if (isFinishedSubscription((await viewOf(this.#world, id)).status)) return;
        await unlessOver(run.terminate('another run adopts what is open'));
        return startIt(this.#world, id);
      default:
        return this.#move(id, MOVES[letter]);
    }
  }

  async look(subscription: Subscription): Promise<string> {
    const view = await viewOf(this.#world, subscription.id);
    const charges = await chargesOf(this.#world, subscription.id);
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
    return describe(this.#world, this.#rail, view, charges);
  }

  async end(subscription: Subscription): Promise<void> {
    const { id } = subscription;
    this.#scripts.set(id, 'answered');
    for (let turn = 0; turn < 8 && !isFinishedSubscription((await viewOf(this.#world, id)).status); turn++) {
      for (const each of await chargesOf(this.#world, id)) this.#rail.speakAgain(each.id);
      await endCalls(this.#world, id);
      await unlessOver(this.#run(id).signal(wakeSignal));
      const open = (await viewOf(this.#world, id)).openAttempt?.attemptId;
      if (open) await unlessOver(this.#run(id).signal(railWebhookSignal, { attemptId: open }));
      // A scheduled change refuses a cancellation.
      await unlessOver(
        update(this.#world, id, cancelChangeUpdate, { changeId: await scheduledChange(this.#world, id) }),
      );
      await unlessOver(update(this.#world, id, cancelSubscriptionUpdate, { atPeriodEnd: false }));
      await this.#settled(id);
    }
    const { status } = await viewOf(this.#world, id);
    must(isFinishedSubscription(status), `it does not end: ${status}`);
    await this.look(subscription);
    await Promise.race([
      this.#run(id).result(),
      tooLate(`the run of a subscription that is ${status} continues`),
    ]);
    await this.#moneyAgrees(subscription);
  }

  /** The rail has the money of each paid charge, and of no other, once late charges are back (rule 7). */
  async #moneyAgrees({ id, shop }: Subscription): Promise<void> {
    const charges = await chargesOf(this.#world, id);
    for (const end = performance.now() + 60_000; ; await pause(2_000)) {
      await tellOfLateCharges(this.#world, this.#rail, charges, shop);
      const kept = await Promise.all(charges.map((each) => this.#rail.keptOf(each.id)));
      const isWrong = charges.map(({ status }, n) => (kept[n] ?? 0) > 0 !== (status === 'succeeded'));
      const unproven = charges.filter(({ status }, n) => isWrong[n] && status === 'succeeded');
      const wrong = isWrong.filter(Boolean).length;
      if (wrong === 0 || (wrong === unproven.length && (await wasResolved(this.#world, id)))) return;
      const statuses = charges.map(({ status }) => status).join(', ');
      must(performance.now() < end, `charges are ${statuses} with ${kept.join(', ')} cents at the rail`);
    }
  }

  #run(id: string) {
    return this.#world.client.workflow.getHandle(id);
  }
}

async function describe(
  world: SessionWorld,
  rail: ScriptedRail,
  view: SubscriptionView,
  charges: readonly Charge[],
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

const isCrowded = (answer: OperationAnswer) =>
  answer.kind === 'refused' && answer.reason === 'advances_running';

function canReach(from: SubscriptionStatus, to: SubscriptionStatus): boolean {
  const reached = new Set<SubscriptionStatus>([from]);
  for (const each of reached)
    for (const next of SUBSCRIPTION_STATUSES) if (canTransitionSubscription(each, next)) reached.add(next);
  return reached.has(to);
}
