/** The page in a real browser: while parts of it load or do not load, and with long text. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../../support/core/eventually.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { violationsOf } from '../../support/stack/axe.ts';
import { type BuyerBrowser, launchBrowser, newBuyer } from '../../support/stack/browser.ts';
import {
  CARDS,
  cardFields,
  enterCode,
  fillCard,
  notice,
  payButton,
} from '../../support/stack/hosted-page.ts';
import { addAttempt, createSession, moveTo, type SessionOptions } from '../core/fixtures.ts';
import { type ServedPage, servePage } from '../core/serve.ts';

const FAILED = 'The card fields could not be loaded';
/** Longer than the time limit of the page for its card fields. */
const FIELDS_LATE_MS = 16_000;
const SHOWN_WITHIN_MS = 60_000;

let databases: readonly TestDatabase[];
let served: ServedPage;
let browser: Browser;
let buyer: BuyerBrowser;

beforeAll(async () => {
  const [database, rail] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  databases = [database, rail];
  served = await servePage({ databaseUrl: database.url, railDatabaseUrl: rail.url });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  for (const database of databases ?? []) await database.drop();
});
beforeEach(async () => {
  buyer = await newBuyer(browser);
  buyer.context.setDefaultTimeout(SHOWN_WITHIN_MS);
});
afterEach(async () => {
  await buyer.context.close();
});

async function addressOf(options: SessionOptions = {}): Promise<string> {
  const { pageToken } = await createSession(served.pool, options);
  return `${served.url}/pay/${pageToken}`;
}

describe('the payment form', () => {
  let page: Page;

  async function openForm(options?: SessionOptions): Promise<void> {
    page = buyer.page;
    await page.goto(await addressOf(options), { waitUntil: 'commit' });
    await page.getByLabel('Email address').fill('ada@example.com');
  }

  /** Without the stream, only `showView` changes the page. */
  async function openFormWithoutStream(): Promise<void> {
    await buyer.page.route('**/events*', (route) => route.abort());
    await openForm();
  }

  async function showView(changes: object): Promise<void> {
    await page.unroute('**/state*');
    await page.route('**/state*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...changes } });
    });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  }

  const timesFailed = () => page.locator('#panel').getByText(FAILED).filter({ visible: true }).count();

  test('waits for its card fields if Pay is pressed while they load', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await buyer.page.route('**/fields?*', async (route) => {
      await released;
      await route.continue();
    });
    await openForm();
    await payButton(page).click();
    await payButton(page).getByText('Loading the card fields…').waitFor();
    expect(await timesFailed()).toBe(0);
    release();
    await cardFields(page).locator('#number[aria-invalid="true"]').waitFor();
    await page.locator('button.pay[aria-disabled="false"]').waitFor();
    expect(await timesFailed()).toBe(0);
    expect(await page.locator('#announcer').textContent()).toBe('');
  });

  test('updates amounts, terms and button when the quantity changes', async () => {
    const price = { billingMode: 'recurring' as const, interval: 'month' as const, amount: 900 };
    await openForm({ price, range: { min: 2, max: 9 } });
    const quantity = page.getByLabel('Quantity');
    expect(await quantity.inputValue()).toBe('2');
    await payButton(page).getByText('€18.00').waitFor();
    await quantity.fill('7');
    await payButton(page).getByText('€63.00').waitFor();
    expect(await page.locator('#terms').textContent()).toMatch(/€63\.00 today\..*€63\.00 is charged/);
    expect(await page.locator('.summary').textContent()).not.toContain('18.00');
    await quantity.fill('10');
    await payButton(page).click();
    await page.locator('#quantity:invalid:focus').waitFor();
    await page.getByText('Choose a quantity from 2 to 9.').waitFor();
  });

  test('updates amounts, terms and button when a code is applied or removed', async () => {
    const price = { billingMode: 'recurring' as const, interval: 'month' as const, amount: 900 };
    await openForm({ price, range: { min: 1, max: 9 }, coupons: [{ code: 'SPRING', percent: 50 }] });
    const paid = buyer.page.waitForRequest('**/pay');
    let clicked = false;
    void paid.then(() => (clicked = true)).catch(() => {});
    await page.getByLabel('Quantity').fill('2');
    await page.getByText('Add a code').click();
    const code = page.getByLabel('Code');
    expect(await code.getAttribute('autocomplete')).toBe('off');
    expect(await code.getAttribute('autocapitalize')).toBe('characters');
    await code.fill('no such code');
    await code.press('Enter');
    await page.locator('#code[aria-invalid="true"]:focus').waitFor();
    await page.locator('#announcer').getByText('This code cannot be used for this purchase.').waitFor();
    await code.fill(' spring');
    await code.press('Enter');
    await payButton(page).getByText('€9.00').waitFor();
    await page
      .locator('#announcer')
      .getByText('Code SPRING: −\u2060€9.00. Subscribe and pay €9.00')
      .waitFor();
    expect(await page.locator('#coupon').textContent()).toBe('Code SPRING: −\u2060€9.00');
    expect(await page.locator('#terms').textContent()).toMatch(/€9\.00 today\..*takes €9\.00 off the first/);
    const remove = page.getByRole('button', { name: 'Remove the code' });
    expect(await remove.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.getByLabel('Code').count()).toBe(0);
    await remove.press('Enter');
    await payButton(page).getByText('€18.00').waitFor();
    expect(await page.locator('#coupon').isVisible()).toBe(false);
    await page.locator('summary:focus', { hasText: 'Add a code' }).waitFor();
    expect(clicked).toBe(false);
  });

  test('shows that a code and its removal are refused while a restore is compared, even after a lost request', async () => {
    await openForm({ coupons: [{ code: 'SPRING', percent: 50 }] });
    const hold = async () => {
      let tries = 0;
      await page.route('**/code', (route) =>
        tries++ === 0
          ? route.abort()
          : route.fulfill({ status: 503, json: { code: 'payment_rail_unavailable' } }),
      );
    };
    const sentence = page.locator('#code-entry').getByText('Please try again in a few minutes.');
    await page.getByText('Add a code').click();
    const code = page.getByLabel('Code');
    await code.fill('spring');
    await hold();
    await code.press('Enter');
    await sentence.waitFor();
    await page.unroute('**/code');
    await code.press('Enter');
    const remove = page.getByRole('button', { name: 'Remove the code' });
    await remove.waitFor();
    await hold();
    await remove.click();
    await sentence.waitFor();
    await page.unroute('**/code');
    await remove.click();
    await page.getByText('Add a code').waitFor();
  });

  test('keeps the focus on a new coupon while it shows an earlier decline', async () => {
    const session = await createSession(served.pool, { coupons: [{ code: 'SPRING', percent: 50 }] });
    await addAttempt(served.pool, session, { status: 'failed', failureCode: 'insufficient_funds' });
    page = buyer.page;
    await page.goto(`${served.url}/pay/${session.pageToken}`);
    await notice(page).waitFor();
    await enterCode(page, 'spring');
    await payButton(page).getByText('€9.50').waitFor();
    await page.getByRole('button', { name: 'Remove the code' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Remove the code');
  });

  test('leaves the focus in the field if the card processor stops answering', async () => {
    await openFormWithoutStream();
    await showView({ railIsOut: true });
    await notice(page).getByText('Card payments are not possible right now').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('email');
    await page.locator('#announcer').getByText('Card payments are not possible right now').waitFor();
  });

  test('locks the email and quantity once a click has read them, even while it waits for the card', async () => {
    await openForm({ range: { min: 1, max: 9 } });
    await page.locator('.fields[data-state="ready"]').waitFor();
    await fillCard(page, CARDS.approved);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/tokens', async (route) => {
      await released;
      await route.abort();
    });
    await payButton(page).click();
    await payButton(page).getByText('Checking your card details…').waitFor();
    const areLocked = () =>
      page.evaluate(() =>
        ['email', 'quantity'].map((id) => document.getElementById(id)?.closest('[inert]') != null),
      );
    expect(await areLocked()).toEqual([true, true]);
    release();
    await page.locator('button.pay[aria-disabled="false"]').waitFor();
    expect(await areLocked()).toEqual([false, false]);
  });

  test('does not pay after its cancellation is confirmed', async () => {
    await openForm();
    await page.locator('.fields[data-state="ready"]').waitFor();
    await fillCard(page, CARDS.approved);
    await page.route('**/cancel', () => {});
    let clicks = 0;
    await page.route('**/pay', () => void clicks++);
    await page.getByRole('button', { name: /^Cancel and return/ }).click();
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    await payButton(page).getByText('Cancelling…').waitFor();
    await payButton(page).press('Enter');
    await setTimeout(2_000);
    expect(clicks).toBe(0);
  });

  test('shows that a code is being sent, and sends it once', async () => {
    await openForm({ coupons: [{ code: 'SPRING', percent: 50 }] });
    let requests = 0;
    await page.route('**/code', () => void requests++);
    await enterCode(page, 'spring');
    const entry = page.locator('#code-entry[aria-busy="true"]');
    await entry.waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    expect(await entry.evaluate((shown) => getComputedStyle(shown).opacity)).toBe('0.55');
    expect(requests).toBe(1);
  });

  test('repeats a confirmed cancellation that the server refuses because of too many requests', async () => {
    await openForm();
    let requests = 0;
    await page.route('**/cancel', (route) => {
      requests += 1;
      return requests < 3 ? route.fulfill({ status: 429, json: { code: 'rate_limited' } }) : undefined;
    });
    await page.getByRole('button', { name: /^Cancel and return/ }).click();
    await page.getByRole('button', { name: 'Cancel payment' }).click();
    await eventually(() => expect(requests).toBe(3));
    await payButton(page).getByText('Cancelling…').waitFor();
  });

  test('removes its notice when the form returns, and closes its cancel dialog when a click is open', async () => {
    await openFormWithoutStream();
    await showView({ railIsOut: true });
    await notice(page).getByText('Card payments are not possible right now').waitFor();
    await page.getByRole('button', { name: /^Cancel and return/ }).click();
    await page.getByRole('dialog').waitFor();
    await showView({ claimOpenUntil: new Date(Date.now() + 60_000).toISOString() });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await payButton(page).waitFor({ state: 'hidden' });
    await showView({});
    await payButton(page).waitFor();
    expect(await notice(page).isVisible()).toBe(false);
  });

  test('closes its cancel dialog when the session expires', async () => {
    const session = await createSession(served.pool);
    page = buyer.page;
    await page.goto(`${served.url}/pay/${session.pageToken}`);
    await page.getByRole('button', { name: /^Cancel and return/ }).click();
    await page.getByRole('dialog').waitFor();
    await moveTo(served.pool, session, 'failed', 'expired');
    await page.getByRole('heading', { name: 'The time to pay is over' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('#status-title:focus').waitFor();
  });

  test('closes its dialog about the bank’s confirmation once the bank has answered', async () => {
    const session = await createSession(served.pool);
    page = buyer.page;
    const claimId = randomUUID();
    const challengeUrl = `${served.railUrl}/challenge`;
    await addAttempt(served.pool, session, { status: 'requires_action', claimId, challengeUrl });
    await moveTo(served.pool, session, 'requires_action');
    // As if this tab had sent the click before a reload.
    await page.addInitScript(([key, value]) => sessionStorage.setItem(key, value), [
      `paid-here:${session.pageToken}`,
      JSON.stringify([claimId]),
    ] as const);
    await page.goto(`${served.url}/pay/${session.pageToken}`);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'Stop the confirmation?' }).waitFor();
    await moveTo(served.pool, session, 'succeeded');
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await page.locator('#status-title:focus', { hasText: 'Payment successful' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('shows which cards are accepted, and where the security code is', async () => {
    await openForm();
    await page.locator('.fields[data-state="ready"]').waitFor();
    await page.getByRole('img', { name: 'Visa, Mastercard, American Express' }).waitFor();
    await cardFields(page).locator('#cvc ~ svg.code').waitFor();
  });

  test.each([
    ['a card', {}],
    ['a wallet', { wallets: ['apple_pay'], preselectedMethod: 'apple_pay' }],
  ] as const)(
    'shows one error while the card fields are blocked (%s), until they load',
    async (_method, options) => {
      await buyer.page.clock.install();
      await buyer.page.route('**/fields?*', (route) => route.abort());
      await openForm(options);
      await page.clock.fastForward(FIELDS_LATE_MS);
      await payButton(page).click();
      await payButton(page).getByText('Loading the card fields…').waitFor();
      await page.clock.fastForward(FIELDS_LATE_MS);
      await page.locator('button.pay[aria-disabled="false"]').waitFor();
      expect(await timesFailed()).toBe(1);
      if ('wallets' in options) await page.getByRole('radio', { name: 'Card' }).check({ force: true });
      expect(await timesFailed()).toBe(1);
      await page.unroute('**/fields?*');
      await page.getByRole('button', { name: 'Load again' }).click();
      await cardFields(page).getByLabel('Card number').waitFor();
      await page.locator('.fields[data-state="ready"]').waitFor();
      expect(await timesFailed()).toBe(0);
    },
  );
});

describe('the page without its script', () => {
  const SCRIPT = '**/pay/assets/main-*.js';
  const sentence = (page: Page) => page.getByText('This page could not be loaded.');

  async function reloadByLink(page: Page): Promise<void> {
    // Without a route the script that is held up would load first.
    await page.route(SCRIPT, (route) => route.continue());
    await page.getByRole('link', { name: 'Reload the page' }).click();
    await payButton(page).waitFor();
    expect(await sentence(page).count()).toBe(0);
    expect(buyer.complaints).toEqual([]);
  }

  test('offers a reload after a while if the script does not load', async () => {
    const { page } = buyer;
    await page.route(SCRIPT, () => {});
    await page.goto(await addressOf(), { waitUntil: 'commit' });
    await sentence(page).waitFor({ state: 'attached' });
    expect(await sentence(page).isVisible()).toBe(false);
    await sentence(page).waitFor();
    await reloadByLink(page);
  });

  test('offers a reload as soon as the script is blocked, and while the page reloads itself', async () => {
    const { page } = buyer;
    let reload = () => {};
    const reloaded = new Promise<void>((resolve) => (reload = resolve));
    await page.route(SCRIPT, () => reload());
    await page.route(SCRIPT, (route) => route.abort(), { times: 1 });
    await page.goto(await addressOf());
    // Without an error it appears after 5 s.
    await sentence(page).waitFor({ timeout: 3_000 });
    await reloaded;
    await sentence(page).waitFor({ timeout: 3_000 });
    await reloadByLink(page);
  });

  test('offers a reload if JavaScript is off', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(await addressOf());
    await sentence(page).waitFor();
    await page.getByRole('link', { name: 'Reload the page' }).waitFor();
    await context.close();
  });
});

test('the buyer can switch the language, which the tab keeps for the return from the bank', async () => {
  const { page } = buyer;
  await page.goto(await addressOf());
  await payButton(page).waitFor();
  await page.locator('.languages summary').click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.getByLabel('E-Mail-Adresse').waitFor();
  expect(new URL(page.url()).search).toBe('?lang=de');
  expect(await page.evaluate(() => sessionStorage.getItem('language'))).toBe('de');
  expect(buyer.complaints).toEqual([]);
});

test.each(['#000000', '#ffffff'])('in the dark scheme, %s is a readable brand colour', async (color) => {
  const { page } = buyer;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(await addressOf({ merchant: { branding: { color } } }));
  await page.locator('.fields[data-state="ready"]').waitFor();
  const ground = () => getComputedStyle(document.querySelector('.work, input') as Element).backgroundColor;
  const frame = page.frames().at(-1);
  expect([await page.evaluate(ground), await frame?.evaluate(ground)]).toEqual(
    Array(2).fill('rgb(23, 28, 36)'),
  );
  expect(await violationsOf(page)).toEqual([]);
});

describe('strings of any length', () => {
  const WORD = 'Rindfleischetikettierungsüberwachungsaufgaben-Handbuch';
  const ADDRESS = `https://shop.example/${'a'.repeat(300)}`;
  const NAME = 'Donaudampfschifffahrtsgesellschaftskapitänsverlag';

  test('stay in their column at 320 px; a description keeps its lines, and the merchant is named twice', async () => {
    const { page } = buyer;
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(
      await addressOf({
        merchant: { name: NAME },
        name: WORD,
        description: `${ADDRESS}\nSecond line\n${'9'.repeat(80)}`,
        email: `${'a'.repeat(60)}@example.com`,
        emailConfirmed: true,
      }),
    );
    await payButton(page).waitFor();
    expect(await page.evaluate(widthPx)).toBe(320);
    const said = await page.locator('body').innerText();
    expect(said.split(NAME)).toHaveLength(3);
    expect(await page.locator('.product-description').innerText()).toContain('\nSecond line\n');
    await page.getByRole('button', { name: /^Cancel and return/ }).click();
    expect(await page.evaluate(widthPx)).toBe(320);
  });

  test('give each line its own direction: an Arabic line does not reverse the next address', async () => {
    const { page } = buyer;
    const options = { merchant: { name: 'مقهى الميناء' }, description: 'توصيل مجاني\n20457 Hamburg' };
    const session = await createSession(served.pool, options);
    await moveTo(served.pool, session, 'failed', 'expired');
    await page.goto(`${served.url}/pay/${session.pageToken}`);
    const texts = page.locator('.product-description, .contact-lines');
    await expect(texts.evaluateAll(placesOfHamburg)).resolves.toEqual([1, 1]);
  });
});

/** The side of its postcode on which the town is drawn: 1 is the right. */
function placesOfHamburg(elements: readonly Element[]): readonly number[] {
  return elements.map((element) => {
    const text = element.firstChild as Text;
    const leftOf = (word: string) => {
      const range = document.createRange();
      range.setStart(text, text.data.indexOf(word));
      range.setEnd(text, text.data.indexOf(word) + word.length);
      return range.getBoundingClientRect().left;
    };
    return Math.sign(leftOf('Hamburg') - leftOf('20457'));
  });
}

function widthPx(): number {
  return document.documentElement.scrollWidth;
}
