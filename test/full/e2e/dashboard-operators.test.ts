/**
 * Operators of the installation in the dashboard, each action from the incident to the result in the service:
 * each dialog accessible in both themes, cancelled once, refused with an explanation where required, and
 * executed.
 */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { asOwner, openDashboard, PEOPLE } from '../../e2e/dashboard.ts';
import { eventually } from '../../support/core/eventually.ts';
import { violationsOf } from '../../support/stack/axe.ts';
import { launchBrowser } from '../../support/stack/browser.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';
import { call } from '../../support/stack/stack-subscriptions.ts';

const REASON = 'The processor is silent';
const EVIDENCE = 'Its dashboard, 12 May';
const COLLEAGUE = 'petra@checkout.example';
/** The sweep, which runs each minute, notices changes that no message reported. */
const SWEPT_MS = 150_000;

let stack: TestStack;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  const env = { RECONCILE_SCHEDULE_SECONDS: '1,1', SECOND_PERSON_ABOVE: '2000' };
  const parts = ['rail', 'shop', 'api', 'worker', 'identity'] as const;
  [stack, browser] = await Promise.all([startStack({ env, parts, refunds: true }), launchBrowser()]);
  const colleague = { id: COLLEAGUE, name: 'Petra', role: 'platform', merchants: [] };
  await send(`${stack.identityUrl}/people`, 'POST', colleague);
  ({ page, complaints } = await openDashboard(browser, stack, PEOPLE.platform, '/'));
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

afterEach(heal);

const dialogOf = (of: Page) => of.locator('dialog:modal');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (name: string) => dialogOf(page).getByRole('button', { name, exact: true });

async function send(url: string, method: string, body?: object): Promise<void> {
  const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(url, { method, ...json });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
}

/** Faults of the rail, until `heal` or the test's end. */
async function harm(...faults: readonly (readonly [operation: string, mode: string, count?: number])[]) {
  for (const [operation, mode, count = 1_000] of faults)
    await send(`${stack.railUrl}/admin/faults`, 'POST', { operation, mode, count });
}

function heal(): Promise<void> {
  return send(`${stack.railUrl}/admin/faults`, 'DELETE');
}

async function stateOf(hostedUrl: string): Promise<string> {
  return (await (await fetch(`${hostedUrl}/state`)).json()).state;
}

/** The rail charges, its answer is lost, and it answers no look-up. */
async function payInDoubt(productId: string) {
  await harm(['authorize', 'drop-after', 1], ['lookup', '500']);
  const session = await stack.createCheckout(productId);
  await payAsBuyer({ hostedUrl: session.hostedUrl, timeoutSeconds: 2 });
  await eventually(
    async () => expect(await stateOf(session.hostedUrl)).toBe('reconciliation_required'),
    60_000,
  );
  return session;
}

async function openSubject(id: string): Promise<void> {
  await page.goto(`${stack.dashboardUrl}/operations/subjects/${id}`);
  await page.getByText('What this means').waitFor();
}

/** Opens the dialog, reads what it does, cancels, opens it again, fills it in and confirms. */
async function command(name: string, does: string, fill?: () => Promise<void>): Promise<void> {
  await button(name).click();
  await dialogOf(page).getByText(does).waitFor();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await violationsOf(page, colorScheme === 'dark' ? 'all' : 'colours');
    expect({ name, violations }).toEqual({ name, violations: [] });
  }
  await inDialog('Cancel').click();
  await dialogOf(page).waitFor({ state: 'detached' });
  await button(name).click();
  await fill?.();
  await inDialog(name).click();
}

const because = () => dialogOf(page).getByLabel('Reason').fill(REASON);

async function withEvidence(): Promise<void> {
  await because();
  await dialogOf(page).getByLabel('Evidence').fill(EVIDENCE);
}

async function said(text: string | RegExp): Promise<void> {
  await page.getByRole('status').getByText(text).waitFor();
}

test('for a charge in doubt, the processor is asked and its answer settles the session', async () => {
  const session = await payInDoubt(stack.products.oneTime);
  await page.goto(`${stack.dashboardUrl}/operations?kind=reconciliation_required`);
  await page.getByRole('link', { name: 'Outcome unknown' }).click();
  await page.getByText('What this means').waitFor();
  // The rail is healed only now, because otherwise the next scheduled look-up would settle the charge.
  await command('Ask the processor', 'asked for the outcome now', heal);
  await said('The rail reports');
  await eventually(async () => expect(await stateOf(session.hostedUrl)).toBe('succeeded'));
  expect(complaints).toEqual([]);
}, 120_000);

test('a charge in doubt at an unresponsive processor is resolved with a person’s evidence', async () => {
  const session = await payInDoubt(stack.products.oneTime);
  await openSubject(session.id);
  await command('Resolve', 'is never contradicted', async () => {
    await dialogOf(page).getByLabel('Outcome').selectOption('succeeded');
    // Without evidence the browser does not send the form.
    await because();
    await inDialog('Resolve').click();
    await dialogOf(page).locator('input:invalid').waitFor();
    await withEvidence();
  });
  await said('done');
  await eventually(async () => expect(await stateOf(session.hostedUrl)).toBe('succeeded'));
  expect(complaints).toEqual([]);
}, 120_000);

test('a resolution above the configured amount needs confirmation by someone other than the requester', async () => {
  const { body: product } = await asOwner(stack, 'POST', '/products', { name: 'Espresso machine' });
  const price = { amount: 89_900, tax_rate: 19, billing_mode: 'one_time' };
  expect((await asOwner(stack, 'POST', `/products/${product.id}/prices`, price)).status).toBe(201);
  const session = await payInDoubt(product.id);
  const incidents = `${stack.dashboardUrl}/operations?kind=second_person_needed`;
  const askAs = async (outcome: 'failed' | 'succeeded') => {
    await openSubject(session.id);
    await command('Resolve', 'is never contradicted', async () => {
      await dialogOf(page).getByLabel('Outcome').selectOption(outcome);
      await withEvidence();
    });
    await said('another person must confirm it');
    await page.goto(incidents);
  };
  await askAs('failed');
  await command('Withdraw', 'Resolve: It failed', because);
  await page.getByText('Nothing matches these filters').waitFor();
  await askAs('succeeded');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.locator('td code', { hasText: 'npm run ops -- confirm' }).waitFor();
  await page.locator('td code', { hasText: /^second_person_needed$/ }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectInside(page.getByRole('columnheader', { name: 'Links' }), 1280);
  await command('Confirm', EVIDENCE);
  await dialogOf(page).getByText('You requested it yourself').waitFor();
  await inDialog('Cancel').click();
  expect(await stateOf(session.hostedUrl)).toBe('reconciliation_required');

  const { page: other } = await openDashboard(browser, stack, COLLEAGUE, '/');
  await other.goto(incidents);
  await other.getByRole('button', { name: 'Confirm', exact: true }).click();
  await dialogOf(other).getByRole('button', { name: 'Confirm', exact: true }).click();
  await eventually(async () => expect(await stateOf(session.hostedUrl)).toBe('succeeded'), 30_000);
  await other.getByText('Nothing matches these filters').waitFor();
  await other.context().close();
  // The refusal for the requester.
  expect(complaints.filter((each) => !/409/.test(each))).toEqual([]);
}, 120_000);

test('an incident shows its deadline at 1280 px, and on a phone also its merchant and next command', async () => {
  const { hostedUrl } = await stack.createCheckout(stack.products.oneTime);
  await payAsBuyer({ hostedUrl, card: '4000009000000524' });
  await page.goto(`${stack.dashboardUrl}/operations?kind=dispute_open`);
  const incident = page.getByRole('row').filter({ hasText: 'dispute_open' });
  await incident.waitFor({ timeout: SWEPT_MS });
  expect(page.url()).toMatch(/\/operations\?kind=dispute_open$/);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    for (const shown of ['Harbour Coffee', /evidence is due by [-\d]+ [:\d]+ UTC/, 'npm run ops -- why']) {
      const element = incident.getByText(shown);
      await element.waitFor();
      await expectInside(element, width);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}, 240_000);

test('an operator records an orphaned charge as returned if the processor does not refund it', async () => {
  await harm(['refund', '500']);
  const session = await stack.createCheckout(stack.products.oneTime);
  await payAsBuyer({ hostedUrl: session.hostedUrl, card: '4000009000000318', timeoutSeconds: 2 });
  const cancel = { requestId: crypto.randomUUID(), what: 'session' };
  await send(`${session.hostedUrl}/cancel`, 'POST', cancel);
  await page.goto(`${stack.dashboardUrl}/operations?kind=orphaned_charge`);
  await page.getByRole('link', { name: 'Charged after the end' }).click({ timeout: SWEPT_MS });
  await command('Record as returned', 'the buyer has the money back', withEvidence);
  // Refused while a call that returns the money may still be running, 20 s at most.
  await eventually(async () => {
    if ((await dialogOf(page).count()) > 0) await inDialog('Record as returned').click();
    await page.getByRole('status').getByText('no longer returned automatically').waitFor({ timeout: 2_000 });
  }, 60_000);
  await page.goto(`${stack.dashboardUrl}/operations?kind=orphaned_charge`);
  await page.getByText('Nothing matches these filters').waitFor();
}, 240_000);

test('an operator resolves a refund in doubt as failed, which closes its incident', async () => {
  await payAsBuyer(await stack.createCheckout(stack.products.oneTime));
  const { body: payments } = await call(stack, 'GET', '/v1/payments');
  const payment = payments.data.find(({ status }: { status: string }) => status === 'succeeded');
  await harm(['refund', '500'], ['lookupRefund', '500']);
  const { status, body: refund } = await call(stack, 'POST', '/v1/refunds', {
    paymentId: payment.id,
    amount: 100,
  });
  expect(status).toBe(201);
  await page.goto(`${stack.dashboardUrl}/operations?kind=reconciliation_required`);
  await page.getByRole('link', { name: 'Outcome unknown' }).click({ timeout: SWEPT_MS });
  await command('Resolve', 'is never contradicted', withEvidence);
  // Refused while a call to the rail may still be running, 20 s at most: the input stays, and is sent again.
  await eventually(async () => {
    if ((await dialogOf(page).count()) > 0) await inDialog('Resolve').click();
    await page.getByText(/^done: failed/).waitFor({ timeout: 5_000 });
  }, 60_000);
  await heal();
  await openSubject(refund.id);
  await button('Close incident').waitFor({ timeout: SWEPT_MS });
  await command('Close incident', 'no state of the service shows that it was dealt with', because);
  await page.getByRole('heading', { name: 'Incidents' }).waitFor({ state: 'detached' });
}, 240_000);

test('an operator pauses and resumes an account', async () => {
  await openSubject(stack.merchant.railAccountId);
  await command('Pause', 'New attempts at this processor or account are refused', because);
  await page.getByText('Processor unavailable').first().waitFor();
  const paused = await stack.createCheckout(stack.products.oneTime).then(
    () => null,
    (error: Error) => error.message,
  );
  expect(paused).toContain('payment_rail_unavailable');
  await command('Resume', 'New attempts at this processor or account are allowed again', because);
  await page.getByText('Processor unavailable').first().waitFor({ state: 'detached' });
  await payAsBuyer(await stack.createCheckout(stack.products.oneTime));
}, 120_000);

test('an operator pauses and resumes an endpoint, and stops a merchant', async () => {
  const endpoints = async () =>
    (await asOwner(stack, 'GET', '/webhook-endpoints?environment=sandbox')).body.data;
  const [endpoint] = await endpoints();
  await openSubject(endpoint.id);
  await command('Pause', 'Events for this endpoint are held', because);
  await button('Resume').waitFor();
  expect(await endpoints()).toMatchObject([{ id: endpoint.id, status: 'paused' }]);
  await command('Resume', 'Events are delivered again', because);
  await button('Pause').waitFor();
  expect(await endpoints()).toMatchObject([{ id: endpoint.id, status: 'enabled' }]);

  await openSubject(stack.merchant.id);
  await command('Stop merchant', 'API keys are refused at once', because);
  await dialogOf(page).waitFor({ state: 'detached' });
  await eventually(async () => expect(await button('Stop merchant').count()).toBe(0));
  expect((await call(stack, 'GET', '/v1/payments')).status).toBe(403);
}, 120_000);

async function expectInside(element: Locator, width: number): Promise<void> {
  const box = await element.boundingBox();
  expect((box?.x ?? width) + (box?.width ?? width)).toBeLessThanOrEqual(width);
}
