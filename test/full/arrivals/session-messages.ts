/** Messages that reach a checkout's workflow, and the invariants after each message. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { canTransition, isFinal, type SessionState } from '../../../domain/session/session.ts';
import { railWebhookSignal, wakeSignal } from '../../../workflows/core/messages.ts';
import { RECONCILE_WORKFLOW, reconcileWebhook } from '../../../workflows/payment/reconcile-messages.ts';
import {
  cancelUpdate,
  completeChallengeUpdate,
  payUpdate,
  resolveUpdate,
} from '../../../workflows/session/session-messages.ts';
import { letExpire } from '../../support/db/attempts.ts';
import type { SessionWorld } from '../../support/world/checkout-world.ts';
import type { Machine } from './explore.ts';
import type { Script, ScriptedRail } from './scripted-rail.ts';

const APPROVED = '4242424242424242';
const CARDS = {
  'click, approved': APPROVED,
  'click, declined': '4000000000000002',
  'click, challenge': '4000002760003184',
  'click, approved despite a cancel': '4000009000000318',
  'click, its call is lost': APPROVED,
  'click, its answers are lost': APPROVED,
} as const;
type Click = keyof typeof CARDS;
const SCRIPTS: Partial<Record<Click, Script>> = {
  'click, its call is lost': 'lost',
  'click, its answers are lost': 'silent',
};

const OTHERS = [
  'return from the bank',
  'early return from the bank',
  'webhook, the rail answers again',
  'cancel the attempt',
  'cancel the session',
  'resolve as paid',
  'resolve as failed',
  'expiry',
  'wake',
  'the call deadline passes',
  'another run',
] as const;
export type SessionLetter = Click | (typeof OTHERS)[number];
const LETTERS = [...(Object.keys(CARDS) as Click[]), ...OTHERS] as const;

/** Only messages cause look-ups, and an operator may decide after one without an answer. */
export const TIMINGS = { reconcileSeconds: [600], reconcileLongSeconds: [600] };
/** Long enough that only a message ends the time of a call (rule 4). */
export const RAIL_CALL_TIMEOUT_SECONDS = 600;

/** Reads the script from the click's id. */
export async function scriptOfClick({ pool }: SessionWorld, paymentId: string): Promise<Script> {
  const claimId = await pool.oneFirst(sql.type(z.object({ claim_id: z.string() }))`
    select claim_id from payments where id = ${paymentId}
  `);
  return (['lost', 'silent'] as const).find((script) => claimId.startsWith(script)) ?? 'answered';
}

interface Session {
  readonly id: string;
  state: SessionState;
}

const payment = z.object({
  id: z.string(),
  status: z.string(),
  failure_code: z.string().nullable(),
  is_open: z.boolean(),
  is_called: z.boolean(),
  is_given_up: z.boolean(),
  is_call_over: z.boolean(),
});

export class SessionMachine implements Machine<SessionLetter, Session> {
  readonly letters = LETTERS;
  readonly #world: SessionWorld;
  readonly #rail: ScriptedRail;

  constructor(world: SessionWorld, rail: ScriptedRail) {
    this.#world = world;
    this.#rail = rail;
  }

  async begin(): Promise<Session> {
    return { id: await this.#world.session(), state: 'created' };
  }

  async send(session: Session, letter: SessionLetter): Promise<void> {
    await this.#give(session, letter);
    await this.settled(session);
  }

  /** The inbox is a queue: once this is answered, everything before it is done. */
  settled({ id }: Pick<Session, 'id'>): Promise<void> {
    return unlessOver(this.#run(id).executeUpdate(payUpdate, { args: [{ claimId: 'never-stored' }] }));
  }

  async #give({ id }: Session, letter: SessionLetter): Promise<void> {
    const run = this.#run(id);
    const latest = (await this.#paymentsOf(id)).at(-1)?.id ?? 'none';
    switch (letter) {
      case 'return from the bank':
        if ((await this.#world.view(id)).state === 'requires_action')
          await this.#world.answerChallenge(id, 'approve');
        return unlessOver(run.executeUpdate(completeChallengeUpdate, { args: [{ attemptId: latest }] }));
      case 'early return from the bank':
        return unlessOver(run.executeUpdate(completeChallengeUpdate, { args: [{ attemptId: latest }] }));
      case 'webhook, the rail answers again':
        this.#rail.speakAgain(latest);
        return unlessOver(run.signal(railWebhookSignal, { attemptId: latest }));
      case 'cancel the attempt':
        return unlessOver(run.executeUpdate(cancelUpdate, { args: [{ what: latest }] }));
      case 'cancel the session':
        return unlessOver(run.executeUpdate(cancelUpdate, { args: [{ what: 'session' }] }));
      case 'resolve as paid':
      case 'resolve as failed': {
        const outcome = letter === 'resolve as paid' ? 'succeeded' : 'failed';
        const request = { outcome, operator: 'on-call', reason: 'silence', evidence: 'ticket 7' } as const;
        return unlessOver(run.executeUpdate(resolveUpdate, { args: [request] }));
      }
      case 'expiry':
        await letExpire(this.#world.pool, id);
        return unlessOver(run.signal(wakeSignal));
      case 'wake':
        return unlessOver(run.signal(wakeSignal));
      case 'the call deadline passes':
        return endCalls(this.#world, id);
      case 'another run':
        if (isFinal((await this.#world.view(id)).state)) return;
        await unlessOver(run.terminate('another run adopts what is open'));
        return this.#world.startWorkflowOf(id);
      default: {
        const claimId = `${SCRIPTS[letter] ?? 'answered'}-${randomUUID()}`;
        await this.#world.storeClick(id, CARDS[letter], claimId, 600);
        return unlessOver(this.#world.sendPay(id, claimId));
      }
    }
  }

  async look(session: Session): Promise<string> {
    const view = await this.#world.view(session.id);
    const payments = await this.#paymentsOf(session.id);
    const open = payments.filter(({ is_open }) => is_open);
    must(open.length <= 1, `${open.length} payments are open`);
    const mayMove = view.state === session.state || canReach(session.state, view.state);
    must(mayMove, `a session moved from ${session.state} to ${view.state}`);
    session.state = view.state;
    const attempts = await Promise.all(
      payments.map(async ({ id, status, is_open, is_called, is_given_up, is_call_over }) => {
        if (!is_open) return status;
        const asked = this.#rail.isSilent(id) ? 'silent' : 'answering';
        const call = is_call_over ? 'call over' : is_called && 'called';
        return [status, call, is_given_up && 'given up', asked, await this.#rail.truthOf(id)];
      }),
    );
    const over = [view.msToExpiry <= 0 && 'expired', view.cancelRequested && 'to be cancelled'];
    return [view.state, view.failureReason, ...over, ...attempts.map(words)].filter(Boolean).join(' · ');
  }

  async end(session: Session): Promise<void> {
    const { id } = session;
    for (const each of await this.#paymentsOf(id)) this.#rail.speakAgain(each.id);
    await letExpire(this.#world.pool, id);
    for (let turn = 0; turn < 4 && !isFinal((await this.#world.view(id)).state); turn++) {
      await endCalls(this.#world, id);
      await unlessOver(this.#run(id).signal(wakeSignal));
      await this.settled({ id });
    }
    const { state } = await this.#world.view(id);
    must(isFinal(state), `it does not end: ${state}`);
    await this.look(session);
    await Promise.race([this.#run(id).result(), tooLate(`the run of a session that is ${state} continues`)]);
    await this.#moneyAgrees(id, state);
  }

  /** One charge for a paid session and none for any other, once late charges are back (rule 7). */
  async #moneyAgrees(id: string, state: SessionState): Promise<void> {
    const payments = await this.#paymentsOf(id);
    const paid = payments.filter(({ status }) => status === 'succeeded');
    must(paid.length === (state === 'succeeded' ? 1 : 0), `${state} with ${paid.length} paid payments`);
    for (const end = performance.now() + 60_000; ; await pause(2_000)) {
      await tellOfLateCharges(this.#world, this.#rail, payments);
      const kept = await Promise.all(payments.map((each) => this.#rail.keptOf(each.id)));
      const charged = payments.filter((_, n) => (kept[n] ?? 0) > 0);
      if (charged.every(({ status }) => status === 'succeeded')) {
        // A payment that an operator settled as paid may never have reached the rail.
        const isUnproven = paid.length > charged.length;
        if (!isUnproven || (await this.#wasResolved(id))) return;
      }
      const statuses = payments.map(({ status }) => status).join(', ');
      must(performance.now() < end, `${state} (${statuses}) with ${kept.join(', ')} cents at the rail`);
    }
  }

  #run(id: string) {
    return this.#world.client.workflow.getHandle(id);
  }

  #paymentsOf(id: string) {
    return this.#world.pool.any(sql.type(payment)`
      select id, status, failure_code, status in ('processing', 'requires_action') as is_open,
        call_started_at is not null as is_called, cancel_requested_at is not null as is_given_up,
        status = 'processing' and coalesce(call_deadline < service_clock(), false) as is_call_over
      from payments where checkout_id = ${id} order by attempt_no
    `);
  }

  #wasResolved(id: string): Promise<boolean> {
    return this.#world.pool.exists(sql.unsafe`
      select from audit_log where subject_id = ${id} and action = 'checkout.resolve'
    `);
  }
}

/** After this, a call unknown to the rail counts as never sent (rule 4). */
async function endCalls({ pool }: SessionWorld, id: string): Promise<void> {
  await pool.query(sql.unsafe`
    update payments set call_deadline = service_clock() - interval '1 minute'
    where checkout_id = ${id} and status = 'processing' and call_deadline > service_clock()
  `);
}

/** Like the rail's webhook: it reports a charge for an attempt that has ended. */
export async function tellOfLateCharges(
  { pool, client, shop: soldBy }: SessionWorld,
  rail: ScriptedRail,
  payments: readonly { readonly id: string; readonly status: string }[],
  shop = soldBy,
): Promise<void> {
  const { merchantId, environment, railAccountId } = shop;
  for (const { id: paymentId, status } of payments) {
    if (status === 'succeeded' || (await rail.keptOf(paymentId)) === 0) continue;
    const webhook = {
      railAccountId,
      railEventId: randomUUID(),
      reference: paymentId,
      hint: 'approved',
    } as const;
    await storeRailWebhook(pool, webhook);
    const input = reconcileWebhook({ paymentId, merchantId, environment });
    await client.workflow.signalWithStart(RECONCILE_WORKFLOW, input);
  }
}

/** Whether a session can get from one state to the other, in one step or several. */
function canReach(from: SessionState, to: SessionState): boolean {
  const reached = new Set<SessionState>([from]);
  const all = [
    'created',
    'processing',
    'requires_action',
    'reconciliation_required',
    'succeeded',
    'failed',
  ] as const;
  for (const each of reached) for (const next of all) if (canTransition(each, next)) reached.add(next);
  return reached.has(to);
}

/** Accepts that the run has ended or refuses the message. */
export async function unlessOver(sent: Promise<unknown>): Promise<void> {
  await sent.catch((error: unknown) => {
    if (!(error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError)) throw error;
  });
}

export async function tooLate(what: string): Promise<never> {
  await pause(30_000, undefined, { ref: false });
  throw new Error(what);
}

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

const words = (parts: string | readonly (string | false)[]) =>
  typeof parts === 'string' ? parts : parts.filter(Boolean).join(' ');
