/** Incidents of each kind, built from the rows that the service writes for them: some would take days to arise. */
import { expect } from '@jest/globals';
import type { RecordedKind } from '../../../contract/operations/incident-kinds.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { updateMerchant } from '../../../db/merchant/merchants.ts';
import { alertOfMisconfiguration, disableRefusedAccount } from '../../../db/merchant/rail-account-trouble.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { storeRequestToConfirm } from '../../../db/operations/operator-requests.ts';
import { recordContradiction, recordOrphan } from '../../../db/payment/orphaned-charges.ts';
import { findBreakerTarget, pauseRail } from '../../../db/payment/rail-breaker.ts';
import { recordEvent } from '../../../db/webhook/events.ts';
import { insertPurchase, insertShop, type Shop } from './fixtures.ts';
import { insertSessions } from './sales.ts';
import { createEndpoint } from './webhooks.ts';

export interface IncidentsToMake {
  readonly shop: Shop;
  readonly refundId: string;
  readonly disputeId: string;
  /** Each makes an incident. @returns its id */
  readonly make: Readonly<Record<RecordedKind, () => Promise<string>>>;
  /** Notifies the operators of the shop's subject. @returns the subject */
  alerted(code: string, reference: string): Promise<string>;
}

export async function incidentsToMake(pool: Pool): Promise<IncidentsToMake> {
  const [refundId, disputeId] = ['ap_ref_failed', 'ap_dis_1'];
  const shop = await insertShop(pool, { name: 'Hafen' });
  const purchase = await insertPurchase(pool, shop, shop.products.recurring, { recurring: true });
  const { merchantId, environment, railAccountId } = shop;
  const { paymentId } = purchase;
  await pool.query(sql.unsafe`
    insert into refunds (id, merchant_id, environment, payment_id, rail_account_id, operation_id, amount, currency, status,
      failure_code)
    values (${refundId}, ${merchantId}, ${environment}, ${paymentId}, ${railAccountId}, 'op_1', 300, 'EUR', 'failed',
      'insufficient_balance')`);
  await pool.query(sql.unsafe`
    insert into disputes (id, merchant_id, environment, payment_id, rail_account_id, rail_dispute_id, status, amount,
      currency, reason, opened_at)
    values (${disputeId}, ${merchantId}, ${environment}, ${paymentId}, ${railAccountId}, 'dp_1', 'open', 900, 'EUR',
      'fraudulent', service_clock() - interval '3 hours')`);

  const run = (statement: Parameters<Pool['query']>[0]) => pool.query(statement);
  const failing = (id: string, minutes: number) =>
    run(sql.unsafe`
      update webhook_endpoints set failing_since = service_clock() - ${minutes} * interval '1 minute' where id = ${id}`);

  function alerted(code: string, reference: string): Promise<string> {
    return inTransaction(pool, async (tx) => {
      await recordEvent(tx, {
        scope: { merchantId, environment },
        type: 'billing.operational_alert',
        aggregateId: `${reference}-${code}`,
        aggregateVersion: 1,
        alert: { code, reference },
      });
      return reference;
    });
  }

  const make: IncidentsToMake['make'] = {
    async reconciliation_required() {
      await run(
        sql.unsafe`update checkouts set state = 'reconciliation_required' where id = ${purchase.checkoutId}`,
      );
      return purchase.checkoutId;
    },
    async orphaned_charge() {
      await inTransaction(pool, (tx) => recordOrphan(tx, purchase.paymentId));
      return purchase.paymentId;
    },
    async payment_not_at_rail() {
      await inTransaction(pool, (tx) => recordContradiction(tx, purchase.paymentId));
      return purchase.paymentId;
    },
    async outcome_not_recorded() {
      await run(sql.unsafe`
        insert into unrecorded_outcomes (workflow_id, reference, merchant_id, environment, amount, activity, error)
        values (${purchase.checkoutId}, ${purchase.paymentId}, ${shop.merchantId}, 'sandbox', 900, 'recordOutcome', '23514')`);
      return purchase.paymentId;
    },
    async invoice_not_issued() {
      await run(sql.unsafe`
        insert into invoices_due (payment_id, merchant_id, environment, draft, error)
        values (${purchase.paymentId}, ${shop.merchantId}, 'sandbox', '{}', '53100')`);
      return purchase.paymentId;
    },
    async charge_unanswered() {
      const { subscriptionId, invoiceId, orderId } = purchase;
      await run(
        sql.unsafe`update invoices set status = 'payment_failed', amount_due = 900 where id = ${invoiceId}`,
      );
      for (const n of [2, 3, 4, 5])
        await run(sql.unsafe`
          insert into payments (merchant_id, environment, order_id, invoice_id, attempt_no, claim_id, status, amount, currency)
          values (${shop.merchantId}, 'sandbox', ${orderId}, ${invoiceId}, ${n}, ${`unanswered-${n}`}, 'cancelled', 900, 'EUR')`);
      return alerted('charge_unanswered', subscriptionId ?? '');
    },
    refund_failed: () => alerted('refund_failed', refundId),
    refund_reversed_by_rail: () => alerted('refund_reversed_by_rail', refundId),
    refund_carried_out: () => alerted('refund_carried_out', refundId),
    async second_person_needed() {
      const request = {
        subjectId: disputeId,
        merchantId: shop.merchantId,
        environment: 'sandbox',
        amount: 900,
      };
      const command = { command: 'dispute_close' };
      const asked = { ...request, paymentId: null, currency: 'EUR', command, asker: { actor: 'person:ada' } };
      return (await storeRequestToConfirm(pool, asked)).id;
    },
    dispute_open: async () => disputeId,
    dispute_not_found: () => alerted('dispute_not_found', purchase.paymentId),
    async rail_unavailable() {
      const target = await findBreakerTarget(pool, 'sandbox:sandbox');
      const account = await findBreakerTarget(pool, shop.railAccountId);
      if (!target || !account) throw new Error('no rail');
      await pauseRail(pool, target, { actor: 'person:ada', reason: 'incident at the rail' });
      await pauseRail(pool, account, { actor: 'person:ada', reason: 'the merchant asked' });
      return 'sandbox:sandbox';
    },
    async merchant_sells_nothing() {
      const like = purchase.checkoutId;
      await insertSessions(pool, { like, ago: '50 minutes', count: 60, arePaid: true });
      await insertSessions(pool, { like, ago: '40 minutes', count: 30, arePaid: false });
      return shop.merchantId;
    },
    async merchant_stopped() {
      const { merchantId: id } = await insertShop(pool, { name: 'Hafen' });
      await updateMerchant(pool, id, { status: 'inactive' }, { actor: 'person:ada', reason: 'unpaid' });
      return id;
    },
    async rail_account_disabled() {
      await disableRefusedAccount(pool, shop.railAccountId);
      return shop.railAccountId;
    },
    async rail_account_misconfigured() {
      await alertOfMisconfiguration(pool, shop.railAccountId);
      return shop.railAccountId;
    },
    async card_testing() {
      await run(sql.unsafe`
        insert into card_declines (merchant_id, environment, passing_since, passed)
        values (${shop.merchantId}, 'sandbox', service_clock(), 'client'), (${shop.merchantId}, 'sandbox', null, null)`);
      return shop.merchantId;
    },
    async endpoint_failing() {
      const { id } = await createEndpoint(pool, shop);
      await failing(id, 14);
      expect(await listIncidents(pool, { kinds: ['endpoint_failing'] })).toEqual([]);
      await failing(id, 16);
      return id;
    },
    async endpoint_disabled() {
      await run(sql.unsafe`
        insert into webhook_endpoints (id, merchant_id, environment, url, secret, status, disabled_reason)
        values ('ap_whe_1', ${shop.merchantId}, 'sandbox', 'https://shop.example', '\\x00', 'disabled', 'answered 410')`);
      return alerted('webhook_endpoint_disabled', 'ap_whe_1');
    },
    async webhook_deliveries_exhausted() {
      const { id } = await createEndpoint(pool, shop);
      await alerted('webhook_deliveries_exhausted', id);
      // An alert alone is not an incident: an event must have exhausted its attempts.
      expect(await listIncidents(pool, { kinds: ['webhook_deliveries_exhausted'] })).toEqual([]);
      await run(sql.unsafe`
        update deliveries set status = 'exhausted'
        where (endpoint_id, event_id) in (select endpoint_id, event_id from deliveries where endpoint_id = ${id} limit 1)`);
      return id;
    },
    async overdue() {
      await run(sql.unsafe`
        update subscriptions set next_action_at = service_clock() - interval '1 hour' where id = ${purchase.subscriptionId}`);
      return purchase.subscriptionId ?? '';
    },
    async sweep_late() {
      await run(
        sql.unsafe`update heartbeats set at = service_clock() - interval '10 minutes' where name = 'sweep'`,
      );
      return 'sweep';
    },
    async database_fenced() {
      await run(sql.unsafe`update ledger_copy set fenced_at = service_clock(), epoch = 7`);
      return 'restore-7';
    },
    async not_in_database() {
      await run(sql.unsafe`
        insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome, amount,
          currency, at, state)
        values (7, ${shop.railAccountId}, 'charge', 'ap_pay_lost', ${shop.merchantId}, 'sandbox', 'approved', 500, 'EUR',
          service_clock(), 'person')`);
      return 'ap_pay_lost';
    },
  };
  return { shop, refundId, disputeId, make, alerted };
}
