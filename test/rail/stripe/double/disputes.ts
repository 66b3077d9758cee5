/** Disputes, opened and decided by the buyer's bank. */
import { announceDispute } from './events.ts';
import { type Dispute, type DoubleAccount, newId, unixNow } from './state.ts';

export function openDispute(account: DoubleAccount, intentId: string): void {
  const intent = account.intents.get(intentId);
  if (!intent) throw new Error(`no intent ${intentId}`);
  const { amount } = intent;
  const dispute: Dispute = {
    id: newId('du'),
    intent: intentId,
    amount,
    created: unixNow(),
    caseType: 'chargeback',
    status: 'needs_response',
  };
  account.disputes.push(dispute);
  announceDispute(account, dispute, 'charge.dispute.created');
}

export function decideDispute(account: DoubleAccount, intentId: string, status: 'won' | 'lost'): void {
  const dispute = account.disputes.find(({ intent }) => intent === intentId);
  if (!dispute) throw new Error(`no dispute of ${intentId}`);
  dispute.status = status;
  announceDispute(account, dispute, 'charge.dispute.closed');
}
