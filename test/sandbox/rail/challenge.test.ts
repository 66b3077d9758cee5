import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { holdCharge, untilWaiting } from './held-charge.ts';
import { ACCOUNT, newReference, type RunningRail, startRail } from './running-rail.ts';

let rail: RunningRail;
beforeAll(async () => {
  rail = await startRail({ accounts: [{ ...ACCOUNT, merchantName: 'Beans & <Sons>' }] });
});
afterAll(() => rail.close());

const BACK = 'http://127.0.0.1:9/back';

async function challenge(values: Record<string, unknown> = {}) {
  const { body } = await rail.authorize('challenge_always', { challengeReturnUrl: BACK, ...values });
  return { path: new URL(body.challengeUrl).pathname, reference: body.reference };
}

async function answer(path: string, result: string) {
  return fetch(`${rail.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ result }),
    redirect: 'manual',
  });
}

test('the page tells merchant, amount and card, in the language that is asked for', async () => {
  const { path } = await challenge({ amount: 123_456 });
  const english = await rail.get(path);
  expect(english.body).toContain('Beans &amp; &lt;Sons&gt;');
  expect(english.body).toContain('€1,234.56');
  expect(english.body).toContain('•••• 3184');
  const german = await rail.get(path, { 'Accept-Language': 'de-AT,de;q=0.9' });
  expect(german.body).toContain('Zahlung bestätigen');
  expect(german.body).toContain('<html lang="de">');
  expect((await rail.get(`${path}?lang=de`)).body).toContain('Ablehnen');
});

test('a mandate alone is asked for in words, not as an amount of 0', async () => {
  const { path } = await challenge({ amount: 0, saveMandate: true });
  expect((await rail.get(path)).body).toContain('Save this card for later payments');
});

test('any page may frame it, and nothing but its form and its style is allowed in it', async () => {
  const { path } = await challenge();
  const policy = (await rail.get(path)).headers.get('Content-Security-Policy');
  expect(policy).toBe(
    `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' ${new URL(BACK).origin}; frame-ancestors *`,
  );
});

test.each([
  ['approve', 'approved'],
  ['fail', 'declined'],
])('its form with %s leads back, and the charge is %s', async (result, status) => {
  const { path, reference } = await challenge();
  const response = await answer(path, result);
  expect(response.status).toBe(303);
  expect(response.headers.get('Location')).toBe(BACK);
  expect((await rail.lookup(reference)).body.status).toBe(status);
});

test('the first answer counts, the second only leads back', async () => {
  const { path, reference } = await challenge();
  await answer(path, 'fail');
  expect((await answer(path, 'approve')).status).toBe(303);
  expect((await rail.lookup(reference)).body.status).toBe('declined');
  expect(await rail.ledgerOf(reference)).toEqual([]);
});

test('ten answers at once charge once', async () => {
  const { path, reference } = await challenge();
  await Promise.all(Array.from({ length: 10 }, () => answer(path, 'approve')));
  expect(await rail.ledgerOf(reference)).toHaveLength(1);
});

test('a challenge that was answered leads back when it is opened again', async () => {
  const { path } = await challenge();
  await answer(path, 'approve');
  const response = await rail.get(path);
  expect([response.status, response.headers.get('Location')]).toEqual([303, BACK]);
});

test('a challenge of a payment that was cancelled leads back, and charges nothing', async () => {
  const { path, reference } = await challenge();
  await rail.cancel(reference);
  expect((await answer(path, 'approve')).status).toBe(303);
  expect(await rail.ledgerOf(reference)).toEqual([]);
});

test('an answer that meets a cancel under way finds the payment cancelled', async () => {
  const { path, reference } = await challenge();
  const release = await holdCharge(rail.databaseUrl, reference);
  const cancelled = rail.cancel(reference);
  await untilWaiting(rail.databaseUrl, 1);
  const answered = answer(path, 'approve');
  await untilWaiting(rail.databaseUrl, 2);
  await release();
  expect((await cancelled).body.status).toBe('cancelled');
  expect((await answered).status).toBe(303);
  expect((await rail.lookup(reference)).body.status).toBe('cancelled');
  expect(await rail.ledgerOf(reference)).toEqual([]);
});

test('a call that waits too long for another one is told to ask again', async () => {
  const { reference } = await challenge();
  const release = await holdCharge(rail.databaseUrl, reference);
  const { status, body } = await rail.cancel(reference);
  expect([status, body.code]).toEqual([409, 'lock_timeout']);
  await release();
  expect((await rail.cancel(reference)).body.status).toBe('cancelled');
});

test('a challenge that does not exist says so', async () => {
  const path = `/challenge/${newReference()}`;
  expect((await rail.get(path)).body).toContain('This confirmation does not exist.');
  expect((await rail.get(path)).status).toBe(404);
  expect((await answer(path, 'approve')).status).toBe(404);
});

test('an answer that is neither yes nor no is refused, and decides nothing', async () => {
  const { path, reference } = await challenge();
  expect((await answer(path, 'perhaps')).status).toBe(400);
  expect((await rail.lookup(reference)).body.status).toBe('requires_action');
});
