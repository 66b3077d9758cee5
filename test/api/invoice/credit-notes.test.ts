/** Credit notes: issued with the refund, listed, sent to endpoints that ask for them, and reversed. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { creditNote } from '../../../contract/invoice/credit-note.ts';
import type { Invoice } from '../../../contract/invoice/resources.ts';
import { sql } from '../../../db/core/pool.ts';
import { recordDisputes } from '../../../db/dispute/record-disputes.ts';
import { issueInvoicesDue } from '../../../db/invoice/invoices-due.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { applyRefundLookup } from '../../../db/refund/refund-sweep.ts';
import type { DisputeStatus } from '../../../domain/dispute/dispute.ts';
import type { RefundAnswer } from '../../../domain/refund/refund.ts';
import { expectRefusal } from '../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { APPROVED, answer, clickAccepted, DECLINED, recordRefund } from '../../support/db/attempts.ts';
import { insertSession, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { holdLock, invoiceCounterOf } from '../../support/db/hold-lock.ts';
import { driverOf, insertSubscription } from '../../support/db/subscriptions.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';
import { textOf } from '../../support/tool/pdf.ts';

let api: PeopleApi;
let shop: Shop;

beforeAll(async () => {
  api = await startPeopleApi();
  shop = await insertShop(api.pool, { branding: { language: 'en' } });
  await api.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${shop.railAccountId}`);
});
afterAll(() => api?.stop());

async function buy(): Promise<string> {
  const { id } = await insertSession(api.pool, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(api.pool, id);
  await api.pool.query(sql.unsafe`update payments set rail_order_id = ${paymentId} where id = ${paymentId}`);
  await answer(api.pool, id, paymentId, APPROVED);
  return paymentId;
}

async function refund(paymentId: string, amount: number | null, kind: RefundAnswer['kind'] = 'succeeded') {
  const made = await createRefund(api.pool, {
    scope: shop,
    operationId: randomUUID(),
    of: { paymentId },
    amount,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  });
  if (typeof made === 'string') throw new Error(made);
  await record(made.id, { kind } as RefundAnswer);
  return made.id;
}

const record = (refundId: string, outcome: RefundAnswer) => recordRefund(api.pool, refundId, outcome);

const notes = async () =>
  (await api.request('GET', '/v1/credit-notes', { apiKey: shop.apiKey })).body.data as z.infer<
    typeof creditNote
  >[];
const notesOf = async (paymentId: string) =>
  (await notes()).filter((note) => note.payment_id === paymentId).reverse();
const invoicesOf = async (paymentId: string) => {
  const invoiceId = await api.pool.oneFirst(sql.type(z.object({ invoice_id: z.string().nullable() }))`
    select invoice_id from payments where id = ${paymentId}`);
  const { body } = await api.request('GET', '/v1/invoices', { apiKey: shop.apiKey });
  return { invoice: body.data.find(({ id }: { id: string }) => id === invoiceId), newest: body.data[0] };
};

test('each refund has a credit note at the original rates, and the last one credits the remainder', async () => {
  const paymentId = await buy();
  const first = await refund(paymentId, 100);
  await record(first, { kind: 'succeeded' });
  await refund(paymentId, null);
  const { invoice } = await invoicesOf(paymentId);
  const of = await notesOf(paymentId);
  for (const note of of) expect(creditNote.strict().parse(note)).toEqual(note);
  expect(of).toMatchObject([
    {
      number: expect.stringMatching(/^CN-\d{4}-000001$/),
      invoice_id: invoice.id,
      invoice_number: invoice.number,
      order_id: invoice.order_id,
      refund_id: first,
      customer: invoice.customer,
      reason: 'refund',
      amount: 100,
      line_items: [{ quantity: 1, unit_amount: 100, amount: 100, tax_rate: 19, tax_amount: 16 }],
    },
    { number: expect.stringMatching(/-000002$/), amount: 1_800, line_items: [{ tax_amount: 287 }] },
  ]);
  expect(invoice).toMatchObject({ credited_amount: 1_900, amount_due: 0, status: 'created' });
});

test('a pending or failed refund has no credit note', async () => {
  const paymentId = await buy();
  await refund(paymentId, 100, 'pending');
  const failing = await refund(paymentId, 100, 'pending');
  await record(failing, { kind: 'failed', code: 'declined' });
  expect(await notesOf(paymentId)).toEqual([]);
});

test('the PDF of a credit note names the invoice that it corrects', async () => {
  const paymentId = await buy();
  await refund(paymentId, 500);
  const [note] = await notesOf(paymentId);
  const read = async () => fetch(api.url + new URL(note?.pdf_url ?? '').pathname);
  const bytes = Buffer.from(await (await read()).arrayBuffer());
  const text = await textOf(bytes);
  for (const said of ['Credit note', note?.number, 'Corrects invoice', note?.invoice_number, '€5.00'])
    expect(text).toContain(said);
  expect(Buffer.from(await (await read()).arrayBuffer())).toEqual(bytes);
  expect((await fetch(`${api.url}/credit-notes/${'0'.repeat(64)}.pdf`)).status).toBe(404);
});

test('a payment, the refund list and its export show each refund’s credit note', async () => {
  const paymentId = await buy();
  const credited = await refund(paymentId, 500);
  await refund(paymentId, 100, 'pending');
  const [note] = await notesOf(paymentId);
  const named = { id: note?.id, number: note?.number, pdf_url: note?.pdf_url };
  const support = api.as('support', shop.merchantId);
  const path = `/v1/merchants/${shop.merchantId}`;
  const { body: payment } = await support('GET', `${path}/payments/${paymentId}`);
  expect(payment.refunds).toMatchObject([{ id: credited, credit_note: named }, { credit_note: null }]);
  const { body: list } = await support('GET', `${path}/search/refunds?environment=${shop.environment}`);
  expect(list.data.slice(0, 2)).toMatchObject([{ credit_note: null }, { id: credited, credit_note: named }]);
  const csv = await support('GET', `${path}/exports/refunds?environment=${shop.environment}`);
  const [head, , row] = String(csv.body).split('\r\n');
  expect(row?.split(',')[head?.split(',').indexOf('credit_note_number') ?? -1]).toBe(note?.number);
});

test('credit note events are sent only to endpoints that subscribe to them', async () => {
  const all = await createEndpoint(api.pool, shop, {});
  const naming = await createEndpoint(api.pool, shop, { eventTypes: ['credit_note.created'] });
  const paymentId = await buy();
  const refundId = await refund(paymentId, 500);
  const sent = await api.pool.any(sql.type(z.object({ endpoint_id: z.string(), body: z.string() }))`
    select d.endpoint_id, e.body from events e join deliveries d on d.event_id = e.id
    where e.type = 'credit_note.created' and e.body::jsonb #>> '{credit_note,refund_id}' = ${refundId}`);
  expect(sent.map(({ endpoint_id }) => endpoint_id)).toEqual([naming.id]);
  expect(all.id).not.toBe(naming.id);
  const [note] = await notesOf(paymentId);
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
    payment: { id: paymentId, status: 'partially_refunded' },
    credit_note: { id: note?.id, number: note?.number, invoice_id: note?.invoice_id, amount: 500 },
  });
});

test('a refund made before its invoice is issued is credited once the invoice exists', async () => {
  await api.pool.query(
    sql.unsafe`alter table invoices add constraint refuse check (amount <> 1900) not valid`,
  );
  const paymentId = await buy();
  const refundId = await refund(paymentId, 500);
  expect(await notesOf(paymentId)).toEqual([]);
  await api.pool.query(sql.unsafe`alter table invoices drop constraint refuse`);
  await issueInvoicesDue(api.pool, 10);
  expect(await notesOf(paymentId)).toMatchObject([{ refund_id: refundId, amount: 500 }]);
});

/** The rail reports that a refund has failed after it had succeeded. */
function takeBack(refundId: string) {
  const { merchantId, environment, railAccountId } = shop;
  const contradicted = { id: refundId, merchantId, environment, railAccountId, railEventIds: [] };
  return applyRefundLookup(api.pool, { ...contradicted, status: 'succeeded' }, 'notCarriedOut');
}

test('a refund that the rail reverses before its credit note is issued gets no credit note', async () => {
  await api.pool.query(
    sql.unsafe`alter table credit_notes add constraint refuse check (amount <> 777) not valid`,
  );
  const paymentId = await buy();
  const takenBack = await refund(paymentId, 777);
  await takeBack(takenBack);
  const kept = await refund(paymentId, 300);
  await api.pool.query(sql.unsafe`alter table credit_notes drop constraint refuse`);
  expect(await issueInvoicesDue(api.pool, 10)).toEqual([]);
  expect(await notesOf(paymentId)).toMatchObject([{ refund_id: kept, amount: 300 }]);
});

test('a credit note is reversed if the rail reverses its refund while the note is being issued', async () => {
  // Creates the counter of the series, so that it can be locked.
  await refund(await buy(), 100);
  await api.pool.query(
    sql.unsafe`alter table credit_notes add constraint refuse check (amount <> 778) not valid`,
  );
  const paymentId = await buy();
  const refundId = await refund(paymentId, 778);
  await api.pool.query(sql.unsafe`alter table credit_notes drop constraint refuse`);
  const unlock = await holdLock(api.pool, invoiceCounterOf(shop.merchantId));
  const issuing = issueInvoicesDue(api.pool, 10);
  await setTimeout(200);
  const reversing = takeBack(refundId);
  await setTimeout(200);
  await unlock();
  expect(await issuing).toEqual([]);
  await reversing;
  const [note] = await notesOf(paymentId);
  expect((await invoicesOf(paymentId)).newest.reverses_credit_note_id).toBe(note?.id);
});

test('if the rail reverses a refund, a new invoice names and reverses its credit note', async () => {
  const paymentId = await buy();
  const refundId = await refund(paymentId, 500);
  await takeBack(refundId);
  await takeBack(refundId);
  const { invoice, newest } = await invoicesOf(paymentId);
  const [note] = await notesOf(paymentId);
  expect(newest).toMatchObject({ amount_due: 0, status: 'created', line_items: [{ amount: 500 }] });
  expect([invoice.reverses_credit_note_id, newest.reverses_credit_note_id]).toEqual([null, note?.id]);
  // Invoiced less credited amounts equal what was paid.
  expect(invoice.credited_amount + newest.credited_amount).toBe(newest.line_items[0].amount);
  const pdf = await fetch(api.url + new URL(newest.pdf_url).pathname);
  const text = await textOf(Buffer.from(await pdf.arrayBuffer()));
  for (const said of ['Reverses credit note', note?.number, '€5.00']) expect(text).toContain(said);
  expect((await invoicesOf(paymentId)).newest.id).toBe(newest.id);
});

test('a refund of a different amount at the processor becomes an incident and keeps its credit note', async () => {
  const paymentId = await buy();
  const refundId = await refund(paymentId, 500);
  const { merchantId, environment, railAccountId } = shop;
  const doubted = { id: refundId, merchantId, environment, railAccountId, railEventIds: [] };
  expect(await applyRefundLookup(api.pool, { ...doubted, status: 'succeeded' }, 'otherAmount')).toBe(true);
  const { invoice, newest } = await invoicesOf(paymentId);
  expect([invoice.credited_amount, newest.id]).toEqual([500, invoice.id]);
});

const decide = (setting: string, value: boolean) =>
  api.pool.query(sql.unsafe`
    update merchants set ${sql.identifier([setting])} = ${value} where id = ${shop.merchantId}`);

function dispute(paymentId: string, status: DisputeStatus, currency = 'EUR') {
  const { merchantId, environment, railAccountId } = shop;
  return recordDisputes(api.pool, { paymentId, merchantId, environment, railAccountId, railEventIds: [] }, [
    {
      railDisputeId: `dp_${paymentId}`,
      status,
      amountCents: 1_000,
      currency,
      reason: 'fraudulent',
      openedAt: '2026-01-31T09:30:00.000Z',
      evidenceDueBy: null,
    },
  ]);
}

test('a lost dispute is credited if the merchant’s settings require it, and a later win reverses the credit', async () => {
  const without = await buy();
  await dispute(without, 'lost');
  expect(await notesOf(without)).toEqual([]);

  await decide('credit_note_on_lost_dispute', true);
  const paymentId = await buy();
  await refund(paymentId, 1_200);
  await dispute(paymentId, 'lost');
  await dispute(paymentId, 'lost');
  await decide('credit_note_on_lost_dispute', false);
  // Only 700 of 1,900 is left, which is less than the disputed 1,000.
  const lost = { reason: 'dispute', refund_id: null, amount: 700 };
  expect(await notesOf(paymentId)).toMatchObject([{ reason: 'refund', amount: 1_200 }, lost]);
  await dispute(paymentId, 'won');
  const { invoice, newest } = await invoicesOf(paymentId);
  // The reversed note still counts as credited, as with a refund; the new invoice compensates for it.
  expect(invoice.credited_amount).toBe(1_900);
  expect(newest).toMatchObject({ amount_due: 0, line_items: [{ amount: 700 }] });
});

test('a lost dispute in another currency credits all that is left, even if its note is issued later', async () => {
  await decide('credit_note_on_lost_dispute', true);
  const paymentId = await buy();
  await refund(paymentId, 500);
  await dispute(paymentId, 'lost', 'HUF');
  await api.pool.query(sql.unsafe`alter table credit_notes add constraint refuse check (false) not valid`);
  const later = await buy();
  await dispute(later, 'lost', 'HUF');
  await api.pool.query(sql.unsafe`alter table credit_notes drop constraint refuse`);
  await decide('credit_note_on_lost_dispute', false);
  expect(await issueInvoicesDue(api.pool, 10)).toEqual([]);
  expect(await notesOf(paymentId)).toMatchObject([{ amount: 500 }, { reason: 'dispute', amount: 1_400 }]);
  expect(await notesOf(later)).toMatchObject([{ reason: 'dispute', amount: 1_900 }]);
});

test('a lost dispute about an orphaned charge is not credited: the charge paid no invoice', async () => {
  await decide('credit_note_on_lost_dispute', true);
  const paymentId = await buy();
  await api.pool.query(sql.unsafe`update payments set status = 'cancelled' where id = ${paymentId}`);
  expect(await dispute(paymentId, 'lost')).toMatchObject({ alerts: ['dispute_lost'] });
  await decide('credit_note_on_lost_dispute', false);
  expect(await notesOf(paymentId)).toEqual([]);
  expect(await issueInvoicesDue(api.pool, 10)).toEqual([]);
});

test('refunds and lost disputes are recorded even if a credit note cannot be issued; the sweep issues it later', async () => {
  const paymentId = await buy();
  await decide('credit_note_on_lost_dispute', true);
  await api.pool.query(
    sql.unsafe`alter table credit_notes add constraint refuse check (amount not in (777, 1000)) not valid`,
  );
  const refundId = await refund(paymentId, 777);
  const { body } = await api.request('GET', `/v1/refunds/${refundId}`, { apiKey: shop.apiKey });
  expect(body).toMatchObject({ status: 'succeeded' });
  const disputed = await buy();
  expect(await dispute(disputed, 'lost')).toMatchObject({ alerts: ['dispute_lost'] });
  // The setting at the time of the loss decides, even if it has changed when the sweep issues the note.
  await decide('credit_note_on_lost_dispute', false);
  const uncredited = await buy();
  await refund(uncredited, 777);
  await dispute(uncredited, 'lost');
  const refused = { error: '23514' };
  expect(await issueInvoicesDue(api.pool, 10)).toMatchObject([
    { paymentId, ...refused },
    { paymentId: disputed, ...refused },
    { paymentId: uncredited, ...refused },
  ]);
  await api.pool.query(sql.unsafe`alter table credit_notes drop constraint refuse`);
  expect(await notesOf(paymentId)).toEqual([]);
  expect(await issueInvoicesDue(api.pool, 10)).toEqual([]);
  expect(await notesOf(paymentId)).toMatchObject([{ refund_id: refundId, amount: 777 }]);
  expect(await notesOf(disputed)).toMatchObject([{ reason: 'dispute', amount: 1_000 }]);
  expect(await notesOf(uncredited)).toMatchObject([{ reason: 'refund', amount: 777 }]);
  expect(await issueInvoicesDue(api.pool, 10)).toEqual([]);
});

test('an invoice that becomes uncollectible is credited if the merchant’s settings require it', async () => {
  const end = async () => {
    const id = await insertSubscription(api.pool, shop, shop.products.recurring);
    const driver = driverOf(api.pool, id, () => DECLINED);
    const { currentPeriodEnd } = await driver.view();
    await driver.advance(new Date(Date.parse(currentPeriodEnd ?? '') + 40 * 86_400_000).toISOString());
    expect(await driver.view()).toMatchObject({ status: 'cancelled' });
    const { body } = await api.request('GET', '/v1/subscriptions', { apiKey: shop.apiKey });
    const ended = body.data.find((subscription: { id: string }) => subscription.id === id);
    return {
      cancelledAt: ended.cancelled_at,
      credited: (await notes()).filter((note) => note.subscription_id === id),
    };
  };
  expect((await end()).credited).toEqual([]);
  await decide('credit_note_on_uncollectible', true);
  const {
    cancelledAt,
    credited: [note, ...more],
  } = await end();
  await decide('credit_note_on_uncollectible', false);
  expect(more).toEqual([]);
  expect(note).toMatchObject({ reason: 'uncollectible', payment_id: null, refund_id: null, amount: 900 });
  // The credit note is dated by the subscription's clock; the invoice's date is three weeks earlier.
  expect(note?.issued_at).toBe(cancelledAt);
  const { body } = await api.request('GET', '/v1/invoices', { apiKey: shop.apiKey });
  expect(body.data.find(({ id }: { id: string }) => id === note?.invoice_id)).toMatchObject({
    status: 'uncollectible',
    credited_amount: 900,
  });
});

test('people list their merchant’s credit notes', async () => {
  const { body } = await api.as('support', shop.merchantId)(
    'GET',
    `/v1/merchants/${shop.merchantId}/credit-notes`,
  );
  expect(body.data).toEqual(await notes());
});

test('credit notes are found by a part of their number, invoice number, id and email, paginated', async () => {
  const paymentId = await buy();
  await refund(paymentId, 500);
  await refund(paymentId, 500);
  const [first, second] = await notesOf(paymentId);
  const as = api.as('support', shop.merchantId);
  const search = async (query: string) =>
    (
      await as(
        'GET',
        `/v1/merchants/${shop.merchantId}/search/credit-notes?environment=${shop.environment}&${query}`,
      )
    ).body;
  const all = { data: [second, first], next_cursor: null };
  for (const q of [first?.invoice_number, first?.invoice_id, paymentId])
    expect(await search(`q=${q}`)).toMatchObject(all);
  for (const q of [second?.number, second?.id, second?.refund_id])
    expect(await search(`q=${q}`)).toMatchObject({ data: [second] });
  const end = second?.number.slice(-6);
  expect(await search(`q=${end}`)).toMatchObject({ data: [second] });
  expect((await search(`q=${second?.number.slice(1, -2)}`)).data).toContainEqual(second);
  expect(await search(`q=${end}&to=2000-01-01T00:00:00Z`)).toMatchObject({ data: [] });
  for (const q of [`%25${end}`, end?.replace('0', '_')])
    expect(await search(`q=${q}`)).toMatchObject({ data: [] });
  expect(await search('q=CN-9999-999999')).toMatchObject({ data: [] });
  const newest = await search('limit=1');
  expect(newest).toMatchObject({ data: [second], next_cursor: expect.any(String) });
  expect(await search(`limit=1&cursor=${newest.next_cursor}`)).toMatchObject({ data: [first] });
  const ofCustomer = await search(`q=${first?.customer_id}`);
  expect(ofCustomer.data.slice(0, 2)).toEqual([second, first]);
  const path = `/v1/merchants/${shop.merchantId}/search/credit-notes`;
  for (const refused of [path, `${path}?environment=${shop.environment}&cursor=e30`])
    expectRefusal(await as('GET', refused), 400, 'invalid_request');
});

test('the export of credit notes includes net, rates, VAT and country, and a byte order mark for Excel', async () => {
  const paymentId = await buy();
  await refund(paymentId, 500);
  const [note] = await notesOf(paymentId);
  const path = `/v1/merchants/${shop.merchantId}/exports/credit-notes`;
  const { apiKey } = shop;
  const bytes = await (
    await fetch(`${api.url}${path}`, { headers: { Authorization: `Bearer ${apiKey}` } })
  ).arrayBuffer();
  expect(Buffer.from(bytes).subarray(0, 6)).toEqual(Buffer.from('\ufeffid,'));
  const { body } = await api.request('GET', `${path}?q=${note?.number}`, { apiKey });
  const [head, line] = String(body).split('\r\n');
  const columns = head?.split(',') ?? [];
  const row = Object.fromEntries((line?.split(',') ?? []).map((value, n) => [columns[n], value]));
  expect(row).toMatchObject({
    number: note?.number,
    invoice_number: note?.invoice_number,
    net: '4.20',
    tax_rates: '19',
    tax: '0.80',
    total: '5.00',
    country: note?.customer.billing_details?.country ?? '',
    payment_id: paymentId,
    refund_id: note?.refund_id,
  });
  expectRefusal(await api.as('support', shop.merchantId)('GET', path), 400, 'invalid_request');
});

test('the tax summary is the sum of the month’s invoices and credit notes, by rate', async () => {
  const paymentId = await buy();
  await refund(paymentId, 333);
  const { body: invoices } = await api.request('GET', '/v1/invoices?limit=100', { apiKey: shop.apiKey });
  const month = new Date().toISOString().slice(0, 7);
  const linesOf = (documents: readonly Pick<Invoice, 'line_items' | 'issued_at'>[]) =>
    documents.filter((each) => each.issued_at?.startsWith(month)).flatMap((each) => each.line_items);
  const sumsOf = (lines: readonly Invoice['line_items'][number][]) => {
    const [gross, tax] = [lines.map(({ amount }) => amount), lines.map((line) => line.tax_amount)].map((of) =>
      of.reduce((sum, each) => sum + each, 0),
    ) as [number, number];
    return { net: gross - tax, tax, gross };
  };
  const [invoiced, credited] = [sumsOf(linesOf(invoices.data)), sumsOf(linesOf(await notes()))];
  const { body } = await api.request('GET', summary(month), { apiKey: shop.apiKey });
  expect(body.data).toEqual([
    {
      currency: 'EUR',
      tax_rate: 19,
      invoiced,
      credited,
      total: {
        net: invoiced.net - credited.net,
        tax: invoiced.tax - credited.tax,
        gross: invoiced.gross - credited.gross,
      },
    },
  ]);
  const path = summary(month).replace('/tax-summary', '/exports/tax-summary');
  const { body: csv } = await api.request('GET', path, { apiKey: shop.apiKey });
  const [, line] = String(csv).split('\r\n');
  expect(line?.split(',')).toEqual([
    'EUR',
    '19',
    ...[...Object.values(invoiced), ...Object.values(credited)].map((cents) => (cents / 100).toFixed(2)),
    ...Object.values(body.data[0].total).map((cents) => (Number(cents) / 100).toFixed(2)),
  ]);
});

test('the export of invoices lists their credit notes and includes refunds that are still pending', async () => {
  const paymentId = await buy();
  await refund(paymentId, 500);
  await refund(paymentId, 100);
  await refund(paymentId, 200, 'pending');
  const { invoice } = await invoicesOf(paymentId);
  const path = `/v1/merchants/${shop.merchantId}/exports/invoices?q=${invoice.number}`;
  const { body } = await api.request('GET', path, { apiKey: shop.apiKey });
  const [head, line] = String(body)
    .split('\r\n')
    .map((each) => each.split(','));
  const row = Object.fromEntries((line ?? []).map((value, n) => [head?.[n], value]));
  const [first, second] = await notesOf(paymentId);
  expect(row).toMatchObject({
    paid: '19.00',
    credited: '6.00',
    credit_notes: [first?.number, second?.number].join(' '),
    refunded: '8.00',
    payment_id: paymentId,
  });
});

test('an invoice counts in the month of its printed date; a void invoice never counts', async () => {
  const { invoice } = await invoicesOf(await buy());
  const lateInJune = async (status: string) => {
    await api.pool.query(sql.unsafe`
      update invoices set issued_at = '2001-06-30T22:30:00Z', time_zone = 'Europe/Berlin', status = ${status}
      where id = ${invoice.id}`);
    const of = async (month: string) =>
      (await api.request('GET', summary(month), { apiKey: shop.apiKey })).body.data;
    return [await of('2001-06'), await of('2001-07')];
  };
  const total = { net: 1_597, tax: 303, gross: 1_900 };
  expect(await lateInJune('created')).toMatchObject([[], [{ tax_rate: 19, total }]]);
  expect(await lateInJune('void')).toEqual([[], []]);
  expectRefusal(
    await api.request('GET', summary('2026-13'), { apiKey: shop.apiKey }),
    400,
    'invalid_request',
  );
  const path = summary('2026-13').replace('/tax-summary', '/exports/tax-summary');
  expectRefusal(await api.request('GET', path, { apiKey: shop.apiKey }), 400, 'invalid_request');
});

test('invoices and credit notes are listed and exported by the day of issue', async () => {
  const paymentId = await buy();
  await refund(paymentId, 500);
  const { invoice } = await invoicesOf(paymentId);
  const [note] = await notesOf(paymentId);
  const at = '2002-03-31T22:00:00.000Z';
  for (const [table, id] of [
    ['invoices', invoice.id],
    ['credit_notes', note?.id ?? ''],
  ] as const)
    await api.pool.query(sql.unsafe`
      update ${sql.identifier([table])} set issued_at = ${at}, time_zone = 'Europe/Berlin' where id = ${id}`);
  const read = async (list: string, query: string) =>
    (await api.request('GET', `/v1/merchants/${shop.merchantId}/${list}?${query}`, { apiKey: shop.apiKey }))
      .body;
  for (const [list, id] of [
    ['invoices', invoice.id],
    ['credit-notes', note?.id],
  ]) {
    const listed = async (query: string) =>
      (await read(`search/${list}`, query)).data.map((row: { id: string }) => row.id);
    expect((await read(`search/${list}`, `q=${id}`)).data).toMatchObject([
      { issued_at: at, issued_on: '2002-04-01' },
    ]);
    for (const q of ['', `&q=${id}`, '&q=19.00']) {
      if (list === 'credit-notes' && q === '&q=19.00') continue;
      expect(await listed(`to=2002-04-01T00:00:00Z${q}`)).toEqual([]);
      expect(await listed(`from=2002-03-31T22:00:00Z&to=2100-01-01T00:00:00Z${q}`)).toContain(id);
      expect(await listed(`from=2002-03-31T22:00:00.001Z&to=2100-01-01T00:00:00Z${q}`)).not.toContain(id);
    }
    const csv = await read(`exports/${list}`, 'from=2002-03-31T22:00:00Z&to=2100-01-01T00:00:00Z');
    const row = String(csv)
      .split('\r\n')
      .find((line) => line.includes(String(id)));
    expect(row).toContain(paymentId);
    expect(row).toContain(',2002-04-01,');
    expect(String(await read(`exports/${list}`, 'from=2099-01-01T00:00:00Z'))).not.toContain(String(id));
  }
});

const summary = (month: string) => `/v1/merchants/${shop.merchantId}/tax-summary?month=${month}`;

seesEveryAnswerOf(
  'showTaxSummary',
  'exportTaxSummary',
  'listCreditNotes',
  'listMerchantCreditNotes',
  'showCreditNotePdf',
  'searchCreditNotes',
  'exportCreditNotes',
);
