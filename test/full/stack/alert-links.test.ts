/**
 * From an alert on the page of `npm start -- --observe` to its section of the runbook, to the waiting
 * workflow, and to the unanswered calls. @needs promtool @reads deploy/observability docs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { eventually } from '../../support/core/eventually.ts';
import { launchBrowser } from '../../support/stack/browser.ts';
import { type CheckoutCopy, copyCheckout, type Run } from './checkout-copy.ts';

const LOST_ANSWER = '4000009000000110';
const ALERT = 'CheckoutReconciliationRequired';
const START_MS = 300_000;
const ALERT_MS = 180_000;
const PAID_MS = 60_000;

let copy: CheckoutCopy;
let run: Run;
let browser: Browser;

beforeAll(async () => {
  copy = copyCheckout({ RECONCILE_SCHEDULE_SECONDS: '1,2,3' });
  // In production the alert waits half an hour.
  const rules = join(copy.dir, 'deploy/observability/alerts.yaml');
  writeFileSync(
    rules,
    readFileSync(rules, 'utf8').replace(new RegExp(`(?<=alert: ${ALERT}\n[^>]*> )\\d+`), '1'),
  );
  run = await copy.start('--observe');
  browser = await launchBrowser();
}, START_MS);
afterAll(async () => {
  await browser?.close();
  copy?.kill();
  copy?.remove();
});

test(
  'an alert links to its runbook section, the waiting workflow and the unanswered calls',
  async () => {
    const session = await chargeInDoubt();
    // Temporal UI draws only what is in view.
    const page = await browser.newPage({ viewport: { width: 1280, height: 1_400 }, timezoneId: 'UTC' });
    page.setDefaultTimeout(ALERT_MS);
    await page.goto(`${run.dev.observeUrl}#alerts`);
    const alert = page.locator('section', { hasText: `${ALERT} · page · firing` });
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(
      new RegExp(
        `${run.dev.merchant.id} \\(sandbox\\): 1 open, the oldest for \\d+ s, 19\\.00 EUR\\s+` +
          'since \\d\\d:\\d\\d UTC, \\d+ s\\s+ops list --kind reconciliation_required\\s',
      ),
    );

    const linked = async (name: string) =>
      (await alert.getByRole('link', { name }).getAttribute('href')) ?? 'no such link';
    const [runbook, workflows] = [await linked('Runbook'), await linked('Workflows in Temporal UI')];
    await page.goto(runbook);
    expect(await page.locator(':target').evaluate(sectionOf)).toMatch(
      /^reconciliation_required\s[\s\S]*ops list --kind reconciliation_required/,
    );

    await page.goto(workflows);
    const row = page.getByRole('link', { name: session.id }).first();
    await row.waitFor();

    await row.click();
    await page.getByText('User Metadata').first().click();
    // Temporal UI renders Markdown in an iframe; the last one has the current details.
    await page.frameLocator('iframe >> nth=-1').getByText('The rail gave no answer').first().waitFor();
    await page.goBack();
    const firstLookUp = page
      .getByText(/^lookUpAttempt • a call to the card processor or another workflow/)
      .last();
    // Temporal UI redraws the timeline of a running workflow while it is viewed.
    await eventually(() => firstLookUp.scrollIntoViewIfNeeded({ timeout: 5_000 }), ALERT_MS);
  },
  START_MS + ALERT_MS,
);

test('firing alerts come before pending alerts, pages before tickets, and the oldest first', async () => {
  const page = await browser.newPage();
  const alert = (alertname: string, severity: string, state: string, minute: number) => ({
    labels: { alertname, severity, instance: 'a' },
    annotations: { summary: '', runbook_url: '/docs/on-call.md#checkouttargetdown' },
    state,
    activeAt: new Date(minute * 60_000).toISOString(),
    value: '1',
  });
  const alerts = [
    alert('PendingPage', 'page', 'pending', 1),
    alert('FiringTicket', 'ticket', 'firing', 1),
    alert('NewPage', 'page', 'firing', 3),
    alert('OldPage', 'page', 'firing', 2),
  ];
  await page.route('**/api/v1/alerts', (route) => route.fulfill({ json: { data: { alerts } } }));
  await page.goto(`${run.dev.observeUrl}#alerts`);
  await page.locator('section').first().waitFor();
  expect(await page.locator('h3').allTextContents()).toEqual([
    'OldPage · page · firing',
    'NewPage · page · firing',
    'FiringTicket · ticket · firing',
    'PendingPage · page · pending',
  ]);
  expect(await page.locator('section').first().innerText()).toMatch(/instance a · value 1\s+since 00:02 UTC/);
  await page.close();
});

/** Pays with a card whose answer is lost, while the rail answers look-ups with 500. @returns the session */
async function chargeInDoubt(): Promise<{ readonly id: string; readonly hostedUrl: string }> {
  const { apiUrl, railUrl, merchant, products } = run.dev;
  const json = { 'content-type': 'application/json' };
  const made = await fetch(`${apiUrl}/v1/checkouts`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${merchant.apiKey}` },
    body: JSON.stringify({ productId: products.oneTime, externalCustomerId: 'buyer' }),
  });
  expect(made.status).toBe(201);
  const session = await made.json();
  const fault = JSON.stringify({ operation: 'lookup', mode: '500', count: 10_000 });
  const refused = await fetch(`${railUrl}/admin/faults`, { method: 'POST', headers: json, body: fault });
  expect(refused.ok).toBe(true);
  // The outcome stays unknown, so the buyer's wait of two seconds times out; on a busy machine, even before the click.
  await eventually(async () => {
    const buyer = { hostedUrl: session.hostedUrl, card: LOST_ANSWER, timeoutSeconds: 2 };
    const { report } = await payAsBuyer(buyer);
    expect(['processing', 'reconciliation_required']).toContain(report.state);
  }, PAID_MS);
  return session;
}

/** @returns the text from a heading to the next */
function sectionOf(heading: Element): string {
  let text = heading.textContent ?? '';
  for (
    let next = heading.nextElementSibling;
    next && !/^H\d$/.test(next.tagName);
    next = next.nextElementSibling
  )
    text += `\n${next.textContent}`;
  return text;
}
