/** Webhook bodies; the tests sign and send them. */
import { disputeObject, intentObject, refundObject } from './objects.ts';
import { type Dispute, type DoubleAccount, type Intent, newId, type Refund, unixNow } from './state.ts';

export function tell(account: DoubleAccount, intent: Intent, what: string): void {
  const object = intentObject(account, 'https://stripe.example', intent, []);
  push(account, `${intent.kind}_intent.${what}`, object);
}

export function announceRefund(account: DoubleAccount, refund: Refund, type: string): void {
  push(account, type, refundObject(refund));
}

export function announceDispute(account: DoubleAccount, dispute: Dispute, type: string): void {
  push(account, type, disputeObject(dispute));
}

function push(account: DoubleAccount, type: string, object: object): void {
  const event = {
    id: newId('evt'),
    object: 'event',
    api_version: '2026-10-28.endive',
    created: unixNow(),
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type,
    data: { object },
  };
  account.events.push({ type, rawBody: Buffer.from(JSON.stringify(event)) });
}
