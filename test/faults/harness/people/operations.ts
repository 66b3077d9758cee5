/** Merchants' operations on subscriptions, other than ending them, scheduling another plan and changing the method. */
import type { Random } from '../core/random.ts';
import type { Answer } from './calls.ts';

const DAY_MS = 86_400_000;

export const OF_TRIALS = ['moves its trial', 'moves its trial as it ends'] as const;
/** Races that must leave one charge and agreeing books. */
export const RACES = [
  'changes now as it renews',
  'raises its quantity as it renews',
  'raises its quantity as its plan changes',
  'undoes its cancellation as it ends',
  'pauses as its renewal is declined',
  'pays as it is retried',
  'pays by link as it is retried',
  'resumes as its pause ends',
] as const;
const OTHERS = [
  'undoes its cancellation',
  'pauses',
  'pauses until a date',
  'changes now',
  'raises its quantity now',
  'pays now',
  'pays by link',
] as const;
export const OPERATIONS = [...OF_TRIALS, ...OTHERS, ...RACES] as const;
export type Operation = (typeof OPERATIONS)[number];

/**
 * Draws an operation for each subscription after its renewals, the races first, so that a short run includes each race.
 * Nothing is repeated before everything has been drawn once; null means no operation.
 */
export function* drawOperations(random: Random): Generator<Operation | null, never> {
  yield* random.shuffle(RACES);
  yield* random.shuffle([null, ...OTHERS]);
  for (;;) yield* random.shuffle([null, ...OTHERS, ...RACES]);
}

/** The parts of a merchant's server that operations need. Each request has its own key. */
export interface Hands {
  post(path: string, body: object): Promise<Answer>;
  /** Moves the subscription's clock to a day after the end of its period. */
  renew(): Promise<boolean>;
  /** The end of the current period; null without one. */
  periodEnd(): Promise<string | null>;
  /** A plan of its offering that costs more than the others. */
  readonly dearerPlan: string;
  /** Its buyer enters a card that declines the next two charges. */
  failTwice(): Promise<void>;
  /** Moves its clock to shortly before its next charge, or its end, and waits until then. */
  untilCharge(): Promise<void>;
  /** The id of its oldest unpaid invoice. */
  unpaidInvoice(): Promise<string | undefined>;
  payByLink(link: { readonly id: string; readonly hostedUrl: string }): Promise<void>;
}

export async function operate(kind: Operation, id: string, hands: Hands): Promise<void> {
  const of = `/v1/subscriptions/${id}`;
  const changeNow = () =>
    hands.post(`${of}/plan-change`, { target_plan_id: hands.dearerPlan, effective: 'now' });
  const takeMore = () => hands.post(`${of}/quantity`, { quantity: 3, effective: 'now' });
  const pauseUntil = async () => {
    const end = await hands.periodEnd();
    if (!end) return;
    await hands.post(`${of}/pause`, { resumes_at: new Date(Date.parse(end) + DAY_MS / 2).toISOString() });
  };
  switch (kind) {
    case 'moves its trial as it ends':
      await hands.untilCharge();
      await hands.post(`${of}/trial`, { ends_at: 'now' });
      return;
    case 'moves its trial':
      await hands.post(`${of}/trial`, { ends_at: 'now' });
      return;
    case 'undoes its cancellation':
      await hands.post(`${of}/cancel`, { at_period_end: true });
      await hands.post(`${of}/cancel/undo`, {});
      return;
    case 'pauses':
      await hands.post(`${of}/pause`, {});
      await hands.renew();
      await hands.post(`${of}/resume`, {});
      return;
    case 'pauses until a date':
      await pauseUntil();
      return;
    case 'resumes as its pause ends':
      await pauseUntil();
      await hands.untilCharge();
      await hands.post(`${of}/resume`, {});
      return;
    case 'changes now':
      await changeNow();
      return;
    case 'raises its quantity now':
      await takeMore();
      return;
    case 'changes now as it renews':
      await hands.untilCharge();
      await changeNow();
      return;
    case 'raises its quantity as it renews':
      await hands.untilCharge();
      await takeMore();
      return;
    case 'raises its quantity as its plan changes':
      await Promise.all([takeMore(), changeNow()]);
      return;
    case 'undoes its cancellation as it ends':
      await hands.post(`${of}/cancel`, { at_period_end: true });
      await hands.untilCharge();
      await hands.post(`${of}/cancel/undo`, {});
      return;
    case 'pauses as its renewal is declined':
      await hands.failTwice();
      await hands.untilCharge();
      await hands.post(`${of}/pause`, {});
      return;
    case 'pays as it is retried':
    case 'pays by link as it is retried':
      await hands.failTwice();
      await hands.renew();
      await hands.untilCharge();
      await payUnpaid(kind === 'pays as it is retried' ? 'pays now' : 'pays by link', hands);
      return;
    default:
      await payUnpaid(kind, hands);
  }
}

async function payUnpaid(kind: 'pays now' | 'pays by link', hands: Hands): Promise<void> {
  const invoice = await hands.unpaidInvoice();
  if (!invoice) return;
  if (kind === 'pays now') {
    await hands.post(`/v1/invoices/${invoice}/pay`, {});
    return;
  }
  const { status, body } = await hands.post(`/v1/invoices/${invoice}/payment-link`, {});
  if (status === 201) await hands.payByLink(body);
}
