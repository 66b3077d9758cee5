/** The merchant's pages of the dashboard, and purchases that fill each of them. */
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { asOwner } from '../../e2e/dashboard.ts';
import { eventually } from '../../support/core/eventually.ts';
import type { TestStack } from '../../support/stack/stack.ts';
import { call } from '../../support/stack/stack-subscriptions.ts';

/** The id in the path of each page of one object. */
export type PageIds = Readonly<Record<string, string>>;

/** The audit log is for owners and platform people; others get a refusal. */
export const PAGES = {
  home: '/',
  search: '/search?q=ada@example.com',
  payments: '/payments',
  payment: '/payments/:payment',
  refunds: '/payments/refunds',
  disputes: '/payments/disputes',
  checkouts: '/checkouts',
  checkout: '/checkouts/:checkout',
  customers: '/customers',
  customer: '/customers/:customer',
  subscriptions: '/subscriptions',
  subscription: '/subscriptions/:subscription',
  invoices: '/invoices',
  creditNotes: '/invoices/credit-notes',
  creditNote: '/invoices/credit-notes/:creditNote',
  taxes: '/invoices/taxes',
  invoice: '/invoices/:invoice',
  products: '/products',
  product: '/products/:product',
  offerings: '/offerings',
  offering: '/offerings/:offering',
  coupons: '/coupons',
  webhooks: '/webhooks',
  endpoint: '/webhooks/endpoints/:endpoint',
  events: '/webhooks/events',
  event: '/webhooks/events/:event',
  keys: '/api-keys',
  storefront: '/storefront-clients',
  rail: '/rail-accounts',
  business: '/business',
  branding: '/branding',
  audit: '/audit',
} as const;

const COUPONS = [
  {
    code: 'SPRING24',
    percent: 20,
    duration: 'repeating',
    periods: 3,
    max_redemptions: 100,
    max_per_customer: 1,
  },
  {
    code: 'WELCOME',
    amount: 500,
    duration: 'once',
    first_purchase_only: true,
    valid_from: '2026-01-01T12:00:00Z',
    valid_until: '2035-01-01T12:00:00Z',
  },
] as const;

export const pathOf = (template: string, ids: PageIds) =>
  template.replace(/:(\w+)/, (_all, name: string) => ids[name] ?? '');

type Dashboard = Pick<TestStack, 'dashboardUrl' | 'merchant'>;

const addressOf = ({ dashboardUrl, merchant }: Dashboard, path: string) =>
  `${dashboardUrl}/${merchant.id}/sandbox${path}`;

/** Reloads the dashboard at a page of the merchant's sandbox. */
export async function load(page: Page, dashboard: Dashboard, path: string): Promise<void> {
  await page.goto(addressOf(dashboard, path));
  await untilShown(page);
}

/** Shows another page as a link of the dashboard does, which takes a fraction of the CPU time of a reload. */
export async function goTo(page: Page, dashboard: Dashboard, path: string): Promise<void> {
  await page.evaluate(
    (to) => {
      history.pushState(null, '', to);
      return new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    },
    addressOf(dashboard, path),
  );
  await untilShown(page);
}

async function untilShown(page: Page): Promise<void> {
  await page.waitForSelector('.page-head');
  await page.waitForFunction(() => !document.querySelector('.loading'));
}

export async function fillDashboard(stack: TestStack): Promise<PageIds> {
  const cards = ['4242424242424242', '4000000000000002', '4242424242424242'];
  const { oneTime, recurring } = stack.products;
  const quantity = { min: 1, max: 5 };
  expect((await asOwner(stack, 'PATCH', `/products/${recurring}`, { quantity })).status).toBe(200);
  for (const [nth, card] of cards.entries()) {
    const { hostedUrl } = await stack.createCheckout(nth === 2 ? recurring : oneTime);
    await payAsBuyer({ hostedUrl, card, email: 'ada@example.com' });
  }
  const listed = async (name: string) => (await call(stack, 'GET', `/v1/${name}`)).body.data;
  const [invoice] = await listed('invoices');
  const subscription = (await listed('subscriptions'))[0].id;
  const found = (await asOwner(stack, 'GET', `/subscriptions/${subscription}`)).body;
  const [offering] = (await asOwner(stack, 'GET', '/offerings')).body.data;
  for (const coupon of COUPONS) {
    const fields = {
      environment: 'sandbox',
      ...coupon,
      ...(coupon.duration !== 'once' && { product_ids: [recurring] }),
    };
    expect((await asOwner(stack, 'POST', '/coupons', fields)).status).toBe(201);
  }
  const payments: readonly { id: string; status: string }[] = await listed('payments');
  const payment = payments.find(({ status }) => status === 'succeeded')?.id ?? '';
  const part = { paymentId: payment, amount: 450, reason: 'One of two arrived broken' };
  expect((await call(stack, 'POST', '/v1/refunds', part)).status).toBe(201);
  const creditNote = await creditNoteOf(stack, payment);
  const [endpoint] = (await asOwner(stack, 'GET', '/webhook-endpoints?environment=sandbox')).body.data;
  const events = (await asOwner(stack, 'GET', '/webhook-events?environment=sandbox')).body.data;
  return {
    endpoint: endpoint.id,
    event: events.find(({ type }: { type: string }) => type === 'subscription.created').id,
    payment,
    product: oneTime,
    offering: offering.id,
    subscription,
    checkout: found.checkout_id,
    customer: found.customer_id,
    invoice: invoice.id,
    creditNote,
  };
}

/** The id of the credit note of a payment's only refund, once it is issued. */
export async function creditNoteOf(stack: TestStack, paymentId: string): Promise<string> {
  return await eventually(async () => {
    const { refunds } = (await asOwner(stack, 'GET', `/payments/${paymentId}`)).body;
    expect(refunds).toMatchObject([{ status: 'succeeded', credit_note: { id: expect.any(String) } }]);
    return refunds[0].credit_note.id;
  });
}
