/** Merchants' operations on subscriptions, other than ending them, scheduling another plan and changing the method. */
import type { Random } from '../core/random.ts';
import { type Answer, isToRepeat } from './calls.ts';

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
  /**
   * Its buyer enters a card that declines the next two charges.
   * @returns whether the card was stored
   */
  failTwice(): Promise<boolean>;
  /**
   * Moves its clock to shortly before its next charge, or its end, and waits until then.
   * @returns whether the clock came that close
   */
  untilCharge(): Promise<boolean>;
  /** The id of its oldest unpaid invoice. */
  unpaidInvoice(): Promise<string | undefined>;
  /** @returns whether the page showed an outcome */
  payByLink(link: { readonly id: string; readonly hostedUrl: string }): Promise<boolean>;
}

/** @returns whether the operation, or its race, took place: every step succeeded and its last request was answered */
export async function operate(kind: Operation, id: string, hands: Hands): Promise<boolean> {
  const ask = async (name: string, body: object) =>
    !isToRepeat(await hands.post(`/v1/subscriptions/${id}/${name}`, body));
  const changeNow = () => ask('plan-change', { target_plan_id: hands.dearerPlan, effective: 'now' });
  const takeMore = () => ask('quantity', { quantity: 3, effective: 'now' });
  const endTrial = () => ask('trial', { ends_at: 'now' });
  const cancelLater = () => ask('cancel', { at_period_end: true });
  const undoCancel = () => ask('cancel/undo', {});
  const pause = () => ask('pause', {});
  const resume = () => ask('resume', {});
  const pauseUntil = async () => {
    const end = await hands.periodEnd();
    if (!end) return false;
    return ask('pause', { resumes_at: new Date(Date.parse(end) + DAY_MS / 2).toISOString() });
  };
  switch (kind) {
    case 'moves its trial as it ends':
      return haveAll(hands.untilCharge, endTrial);
    case 'moves its trial':
      return endTrial();
    case 'undoes its cancellation':
      return haveAll(cancelLater, undoCancel);
    case 'pauses':
      return haveAll(pause, hands.renew, resume);
    case 'pauses until a date':
      return pauseUntil();
    case 'resumes as its pause ends':
      return haveAll(pauseUntil, hands.untilCharge, resume);
    case 'changes now':
      return changeNow();
    case 'raises its quantity now':
      return takeMore();
    case 'changes now as it renews':
      return haveAll(hands.untilCharge, changeNow);
    case 'raises its quantity as it renews':
      return haveAll(hands.untilCharge, takeMore);
    case 'raises its quantity as its plan changes': {
      const answered = await Promise.all([takeMore(), changeNow()]);
      return answered.every(Boolean);
    }
    case 'undoes its cancellation as it ends':
      return haveAll(cancelLater, hands.untilCharge, undoCancel);
    case 'pauses as its renewal is declined':
      return haveAll(hands.failTwice, hands.untilCharge, pause);
    case 'pays as it is retried':
    case 'pays by link as it is retried': {
      const pay = () => payUnpaid(kind === 'pays as it is retried' ? 'pays now' : 'pays by link', hands);
      return haveAll(hands.failTwice, hands.renew, hands.untilCharge, pay);
    }
    default:
      return payUnpaid(kind, hands);
  }
}

/** Takes every step, even after one that failed: the storm plays its requests anyway. */
async function haveAll(...steps: readonly (() => Promise<boolean>)[]): Promise<boolean> {
  let all = true;
  for (const step of steps) all = (await step()) && all;
  return all;
}

async function payUnpaid(kind: 'pays now' | 'pays by link', hands: Hands): Promise<boolean> {
  const invoice = await hands.unpaidInvoice();
  if (!invoice) return false;
  if (kind === 'pays now') return !isToRepeat(await hands.post(`/v1/invoices/${invoice}/pay`, {}));
  const { status, body } = await hands.post(`/v1/invoices/${invoice}/payment-link`, {});
  return status === 201 && hands.payByLink(body);
}
