import { expect, test } from '@jest/globals';
import { LANGUAGES } from '../../../domain/core/languages.ts';
import { DECLINE_CODES } from '../../../domain/payment/attempt.ts';
import { SESSION_FAILURE_REASONS, SESSION_STATES } from '../../../domain/session/session.ts';
import { formWords } from '../../../page/document/form-words.ts';
import { stringsOf } from '../../../page/document/language.ts';
import { pageDocument } from '../../../page/document/page.ts';
import { declineNotice, NEW_TAB, statusOf, type Tab } from '../../../page/document/status.ts';
import type { PageView } from '../../../page/document/view.ts';
import { ENGLISH, viewOf } from './views.ts';

function told(changes: Partial<PageView>, tab: Partial<Tab> = {}) {
  return statusOf(ENGLISH, viewOf(changes), { ...NEW_TAB, ...tab });
}

test('a payable session shows the form', () => {
  expect(told({})).toBeNull();
});

test('every state that is not payable has a message', () => {
  for (const state of SESSION_STATES.filter((each) => each !== 'created')) {
    const status = told({ state, failureReason: state === 'failed' ? 'expired' : null });
    expect(status?.title).toMatch(/\w{3}/);
    expect(status?.body).toMatch(/\w{3}/);
    expect(`${status?.title} ${status?.body}`).not.toMatch(/[{}]|undefined/);
  }
});

test('no message for an unknown outcome says that nothing was charged or that the payment failed', () => {
  const unknown = [
    told({ state: 'reconciliation_required' }),
    told({ state: 'processing' }, { mine: true }),
    told({ state: 'processing' }),
    told({}, { unknown: true }),
    told({ claimOpenUntil: '2026-01-31T12:00:30.000Z' }),
    told({ state: 'processing', cancelling: true }),
  ];
  for (const status of unknown) {
    expect(status).not.toBeNull();
    expect(`${status?.title} ${status?.body}`).not.toMatch(
      /nothing (was|is) charged|failed|declined|not go through/i,
    );
  }
});

test('an uncertain outcome asks the buyer not to pay again', () => {
  for (const status of [told({ state: 'reconciliation_required' }), told({}, { unknown: true })]) {
    expect(status?.tone).toBe('wait');
    expect(status?.body).toMatch(/do not pay again/i);
  }
});

test('an attempt in another tab is described as such', () => {
  expect(told({ state: 'processing' })?.title).toMatch(/another tab/);
  expect(told({ state: 'processing' }, { mine: true })?.title).not.toMatch(/another tab/);
});

test('a session paid before this tab opened is shown as already paid', () => {
  expect(told({ state: 'succeeded' }, { openedFinished: true })?.title).toBe('This is already paid');
  expect(told({ state: 'succeeded' })?.title).toBe('Payment successful');
});

test('a device that confirmed a payment for another device shows only “Confirmed”', () => {
  expect(told({ state: 'succeeded' }, { openedFinished: true, forAnother: true })?.title).toBe('Confirmed');
});

test('the success of a trial does not mention a payment', () => {
  expect(told({ state: 'succeeded', amount: 0 })?.title).toBe('Your free trial has begun');
});

test('each failure reason has its own message', () => {
  const titles = SESSION_FAILURE_REASONS.map(
    (failureReason) => told({ state: 'failed', failureReason })?.body,
  );
  expect(new Set(titles).size).toBe(SESSION_FAILURE_REASONS.length);
});

test('an expired session hides the form before the server reports the expiry', () => {
  expect(told({}, { timeOver: true })?.tone).toBe('busy');
});

test.each(DECLINE_CODES)(
  'a decline with %s states the reason, that nothing was charged, and the tries left',
  (code) => {
    const view = viewOf({ lastFailure: { status: 'failed', code }, attempts: { used: 2, max: 5 } });
    const notice = declineNotice(ENGLISH, view);
    expect(notice?.body).toMatch(/Nothing was charged/);
    expect(notice?.body).toMatch(/You have 3 more tries\.$/);
  },
);

test('an unknown decline code gets the general message', () => {
  const lastFailure = { status: 'failed', code: 'constructor' } as const;
  expect(declineNotice(ENGLISH, viewOf({ lastFailure }))?.body).toMatch(/^Your bank gave no reason/);
});

test('an abandoned confirmation is not called a decline', () => {
  const view = viewOf({ lastFailure: { status: 'cancelled', code: null }, attempts: { used: 4, max: 5 } });
  expect(declineNotice(ENGLISH, view)).toEqual({
    title: 'The payment was not confirmed',
    body: expect.stringMatching(/You have one more try\.$/),
  });
});

test.each(['paid', 'over'] as const)('a payment link whose invoice is %s asks for no payment', (link) => {
  expect(formWords(ENGLISH, viewOf({ link }))).toMatchObject({
    heading: 'Your order',
    due: null,
    terms: null,
  });
});

test.each(LANGUAGES)('in %s a page names the merchant at most twice, whatever its state', (language) => {
  const asset = { path: '/1', integrity: '' };
  const receipt = { at: null, reference: '17', card: null, email: null, invoiceUrl: null };
  const methodChange = {
    current: null,
    due: 900,
    next: null,
    periodEnd: '2026-02-28T12:00:00.000Z',
    pauses: false,
    over: false,
  };
  const purchases = SESSION_STATES.flatMap((state) =>
    SESSION_FAILURE_REASONS.map((failureReason) =>
      viewOf({ state, failureReason, receipt: ['created', 'processing'].includes(state) ? null : receipt }),
    ),
  );
  const views = [
    ...purchases,
    ...purchases.map((view): PageView => ({ ...view, kind: 'methodChange', methodChange })),
    viewOf({ kind: 'methodChange', methodChange: { ...methodChange, over: true } }),
    viewOf({ link: 'paid' }),
    viewOf({ link: 'over' }),
  ];
  for (const view of views) {
    const redirect = { url: 'https://shop.example/', ready: false };
    const contact = [view.merchant.name, 'Hafenweg 1'];
    const document = pageDocument({
      view: { ...view, redirect, merchant: { ...view.merchant, contact } },
      words: { strings: stringsOf(language, view.kind), language, locale: language },
      colour: null,
      assets: { script: asset, style: asset, fieldScripts: {} } as never,
      nonce: '1',
    });
    const body = document.slice(document.indexOf('<body>'), document.indexOf('id="boot"'));
    expect(body.split(view.merchant.name).length - 1).toBeLessThanOrEqual(2);
  }
});
