/** What merchants do to subscriptions besides ending them and changing plan or method. */
import type { Answer } from './calls.ts';

const DAY_MS = 86_400_000;

export const OPERATIONS = [
  'moves its trial',
  'takes back its end',
  'pauses',
  'pauses until a date',
  'changes now',
  'takes more now',
  'pays now',
  'pays by link',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What operations need of a merchant's server. Each request has its own key. */
export interface Hands {
  post(path: string, body: object): Promise<Answer>;
  /** Moves the subscription's clock to a day after the end of its period. */
  renew(): Promise<boolean>;
  /** The end of the current period; null without one. */
  periodEnd(): Promise<string | null>;
  otherPlan(): Promise<string>;
  /** The id of its oldest unpaid invoice. */
  unpaidInvoice(): Promise<string | undefined>;
  payByLink(link: { readonly id: string; readonly hostedUrl: string }): Promise<void>;
}

export async function operate(kind: Operation, id: string, hands: Hands): Promise<void> {
  const of = `/v1/subscriptions/${id}`;
  switch (kind) {
    case 'moves its trial':
      await hands.post(`${of}/trial`, { ends_at: 'now' });
      return;
    case 'takes back its end':
      await hands.post(`${of}/cancel`, { at_period_end: true });
      await hands.post(`${of}/cancel/undo`, {});
      return;
    case 'pauses':
      await hands.post(`${of}/pause`, {});
      await hands.renew();
      await hands.post(`${of}/resume`, {});
      return;
    case 'pauses until a date': {
      const end = await hands.periodEnd();
      if (!end) return;
      await hands.post(`${of}/pause`, { resumes_at: new Date(Date.parse(end) + DAY_MS / 2).toISOString() });
      return;
    }
    case 'changes now':
      await hands.post(`${of}/plan-change`, { target_plan_id: await hands.otherPlan(), effective: 'now' });
      return;
    case 'takes more now':
      await hands.post(`${of}/quantity`, { quantity: 3, effective: 'now' });
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
