import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { isFieldsMessage } from '../../../rail/fields-protocol.ts';
import { eventually } from '../../support/core/eventually.ts';
import { type BuyerBrowser, DESKTOP, launchBrowser, newBuyer } from '../../support/stack/browser.ts';
import { type Fields, type FramingSite, fieldsUrlOf, openFields, startFramingSite } from './fields-page.ts';
import { type RunningRail, startRail } from './running-rail.ts';

let [rail, site, browser] = [] as unknown as [RunningRail, FramingSite, Browser];
beforeAll(async () => {
  [rail, site, browser] = await Promise.all([startRail(), startFramingSite(), launchBrowser()]);
});
afterAll(() => Promise.all([rail.close(), site.close(), browser.close()]));

describe('in a browser', () => {
  let buyer: BuyerBrowser;
  let fields: Fields;

  async function open(viewport = DESKTOP, values: Record<string, string> = {}): Promise<void> {
    buyer = await newBuyer(browser, viewport);
    fields = await openFields(buyer.page, site, fieldsUrlOf(rail.url, { origin: site.origin, ...values }));
    await eventually(async () => expect(await fields.last('ready')).toBeDefined());
  }

  async function type(number: string, expiry: string, cvc: string): Promise<void> {
    await fields.frame.getByLabel('Card number').pressSequentially(number);
    await fields.frame.getByLabel('Expiry date').pressSequentially(expiry);
    await fields.frame.getByLabel('Security code').pressSequentially(cvc);
  }

  beforeEach(() => open());
  afterEach(async () => {
    expect(buyer.complaints).toEqual([]);
    await buyer.context.close();
  });

  test('a typed card becomes a token that pays', async () => {
    await type('4242424242424242', '1240', '123');
    await eventually(async () =>
      expect(await fields.last('change')).toMatchObject({ complete: true, empty: false, brand: 'visa' }),
    );
    await fields.send({ type: 'submit', amount: 1900 });
    const message = await eventually(async () => {
      const token = await fields.last('token');
      if (!token) throw new Error('no token yet');
      return token;
    });
    expect(message.method).toEqual({ type: 'card', brand: 'visa', last4: '4242' });
    const charge = await rail.authorize('approved', { token: message.token });
    expect(charge.body.status).toBe('approved');
  });

  test('every message follows the protocol, comes from the rail’s origin and has no card number', async () => {
    await type('4242424242424242', '1240', '12');
    await fields.send({ type: 'submit', amount: 1900 });
    await eventually(async () => expect(await fields.last('error')).toBeDefined());
    await fields.frame.getByLabel('Security code').pressSequentially('3');
    await fields.send({ type: 'submit', amount: 1900 });
    await eventually(async () => expect(await fields.last('token')).toBeDefined());
    const messages = await fields.received();
    expect(new Set(messages.map(({ origin }) => origin))).toEqual(new Set([rail.url]));
    for (const { data } of messages) expect(isFieldsMessage(data)).toBe(true);
    expect(JSON.stringify(messages)).not.toMatch(/4242 ?4242/);
  });

  test('an empty field is reported next to it and to the page, and gets focus', async () => {
    await fields.frame.getByLabel('Card number').pressSequentially('4242424242424242');
    await fields.send({ type: 'submit', amount: 1900 });
    const error = await eventually(async () => {
      const message = await fields.last('error');
      if (!message) throw new Error('no error yet');
      return message;
    });
    expect(error).toMatchObject({
      field: 'expiry',
      code: 'expiry_missing',
      message: 'Enter the expiry date.',
    });
    const expiry = fields.frame.getByLabel('Expiry date');
    expect(await expiry.getAttribute('aria-invalid')).toBe('true');
    expect(await expiry.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await fields.frame.locator('#expiry-problem').textContent()).toBe('Enter the expiry date.');
  });

  test('a wrong digit is reported once the number is complete, and cleared when corrected', async () => {
    const number = fields.frame.getByLabel('Card number');
    const problem = fields.frame.locator('#number-problem');
    await number.pressSequentially('424242424242424');
    expect(await problem.textContent()).toBe('');
    await number.pressSequentially('1');
    expect(await problem.textContent()).toBe('This card number is not valid.');
    await number.press('Backspace');
    await number.pressSequentially('2');
    expect(await problem.textContent()).toBe('');
  });

  test('a digit inserted in the middle keeps the caret behind it', async () => {
    const number = fields.frame.getByLabel('Card number');
    await number.pressSequentially('424242424242424');
    await number.press('Home');
    for (let count = 0; count < 4; count++) await number.press('ArrowRight');
    await number.press('9');
    expect(await number.inputValue()).toBe('4242 9424 2424 2424');
    expect(await number.evaluate((input) => (input as HTMLInputElement).selectionStart)).toBe(6);
  });

  test('the rail rejects a number that is not a test card', async () => {
    await type('4539578763621486', '1240', '123');
    await fields.send({ type: 'submit', amount: 1900 });
    await eventually(async () =>
      expect(await fields.last('error')).toMatchObject({ field: 'number', code: 'not_a_test_card' }),
    );
  });

  test('a wallet becomes a token without a typed card', async () => {
    await fields.send({ type: 'submit', amount: 1900, wallet: 'google_pay' });
    await eventually(async () =>
      expect(await fields.last('token')).toMatchObject({ method: { type: 'google_pay' } }),
    );
  });

  test('an unreachable rail is reported to the page, and the fields can be submitted again', async () => {
    await type('4242424242424242', '1240', '123');
    await buyer.context.setOffline(true);
    await fields.send({ type: 'submit', amount: 1900 });
    await eventually(async () =>
      expect(await fields.last('error')).toMatchObject({ field: null, code: 'rail_unreachable' }),
    );
    await buyer.context.setOffline(false);
    await fields.send({ type: 'submit', amount: 1900 });
    await eventually(async () => expect(await fields.last('token')).toBeDefined());
  });

  test('Enter in a field asks the page to pay', async () => {
    await fields.frame.getByLabel('Card number').press('Enter');
    await eventually(async () =>
      expect(await fields.last('change')).toMatchObject({ submitRequested: true }),
    );
  });

  test('Tab moves through the fields in order, then out of the frame', async () => {
    await buyer.page.locator('#before').focus();
    const visited: string[] = [];
    for (let step = 0; step < 3; step++) {
      await buyer.page.keyboard.press('Tab');
      visited.push(await fields.frame.locator(':focus').getAttribute('id').then(String));
    }
    expect(visited).toEqual(['number', 'expiry', 'cvc']);
    await buyer.page.keyboard.press('Tab');
    expect(await buyer.page.locator('#pay:focus').count()).toBe(1);
  });

  test('the page can focus a field', async () => {
    await fields.send({ type: 'focus', field: 'cvc' });
    await eventually(async () => expect(await fields.frame.locator(':focus').getAttribute('id')).toBe('cvc'));
  });

  test('the fields support autofill', async () => {
    const attributes = (name: string) =>
      fields.frame
        .locator('input')
        .evaluateAll((inputs, of) => inputs.map((input) => input.getAttribute(of)), name);
    expect(await attributes('autocomplete')).toEqual(['cc-number', 'cc-exp', 'cc-csc']);
    expect(await attributes('inputmode')).toEqual(['numeric', 'numeric', 'numeric']);
  });

  test('another page cannot frame the fields', async () => {
    const stranger = await startFramingSite();
    const page = await buyer.context.newPage();
    await page.goto(
      `${stranger.origin}/?frame=${encodeURIComponent(fieldsUrlOf(rail.url, { origin: site.origin }))}`,
    );
    const response = page.frames().at(-1);
    await eventually(async () => expect(response?.url()).toMatch(/^chrome-error:/));
    await stranger.close();
  });

  test('a message from another window is ignored', async () => {
    await buyer.page.evaluate(() => {
      const inner = document.createElement('iframe');
      inner.srcdoc = `<script>
        parent.frames[0].postMessage({ channel: 'card-fields/1', type: 'submit', amount: 1900, wallet: 'apple_pay' }, '*')
      </script>`;
      document.body.append(inner);
    });
    await fields.send({ type: 'focus', field: 'cvc' });
    await eventually(async () => expect(await fields.frame.locator('#cvc:focus').count()).toBe(1));
    expect(await fields.last('token')).toBeUndefined();
    expect(await fields.last('error')).toBeUndefined();
  });
});
