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

test('the challenge page shows merchant, amount and card in the requested language', async () => {
  const { path } = await challenge({ amount: 123_456 });
  const english = await rail.get(path);
  expect(english.body).toContain('Beans &amp; &lt;Sons&gt;');
  expect(english.body).toContain('€1,234.56');
  expect(english.body).toContain('•••• 3184');
  const german = await rail.get(path, { 'Accept-Language': 'de-AT,de;q=0.9' });
  expect(german.body).toContain('Zahlung bestätigen');
  expect(german.body).toContain('<html lang="de" dir="ltr">');
  expect((await rail.get(`${path}?lang=de`)).body).toContain('Ablehnen');
});

test('a mandate without a payment shows text instead of an amount of 0', async () => {
  const { path } = await challenge({ amount: 0, saveMandate: true });
  expect((await rail.get(path)).body).toContain('Save this card for later payments');
});

test('any page may frame the challenge; its policy allows only its form and style', async () => {
  const { path } = await challenge();
  const policy = (await rail.get(path)).headers.get('Content-Security-Policy');
  expect(policy).toBe(
    `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' ${new URL(BACK).origin}; frame-ancestors *`,
  );
});

test.each([
  ['approve', 'approved'],
  ['fail', 'declined'],
])('answering %s redirects to the return URL, and the charge is %s', async (result, status) => {
  const { path, reference } = await challenge();
  const response = await answer(path, result);
  expect(response.status).toBe(303);
  expect(response.headers.get('Location')).toBe(BACK);
  expect((await rail.lookup(reference)).body.status).toBe(status);
});

test('the first answer decides a challenge; a second one only redirects', async () => {
  const { path, reference } = await challenge();
  await answer(path, 'fail');
  expect((await answer(path, 'approve')).status).toBe(303);
  expect((await rail.lookup(reference)).body.status).toBe('declined');
  expect(await rail.ledgerOf(reference)).toEqual([]);
});

test('ten concurrent answers charge once', async () => {
  const { path, reference } = await challenge();
  await Promise.all(Array.from({ length: 10 }, () => answer(path, 'approve')));
  expect(await rail.ledgerOf(reference)).toHaveLength(1);
});

test('an answered challenge redirects when opened again', async () => {
  const { path } = await challenge();
  await answer(path, 'approve');
  const response = await rail.get(path);
  expect([response.status, response.headers.get('Location')]).toEqual([303, BACK]);
});

test('a challenge of a cancelled payment redirects and charges nothing', async () => {
  const { path, reference } = await challenge();
  await rail.cancel(reference);
  expect((await answer(path, 'approve')).status).toBe(303);
  expect(await rail.ledgerOf(reference)).toEqual([]);
});

test('an answer has no effect if it had to wait for a concurrent cancel', async () => {
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

test('a call that waits too long for a lock gets 409 lock_timeout, and is listed as busy', async () => {
  const { reference } = await challenge();
  const release = await holdCharge(rail.databaseUrl, reference);
  const { status, body } = await rail.cancel(reference);
  expect([status, body.code]).toEqual([409, 'lock_timeout']);
  await release();
  expect((await rail.cancel(reference)).body.status).toBe('cancelled');
  const { body: requests } = await rail.get('/requests');
  const cancels = requests.filter(
    (each: { reference: string; operation: string }) =>
      each.reference === reference && each.operation === 'cancel',
  );
  expect(cancels.map(({ busy }: { busy: boolean }) => busy)).toEqual([true, false]);
});

test('an unknown challenge gets 404', async () => {
  const path = `/challenge/${newReference()}`;
  expect((await rail.get(path)).body).toContain('This confirmation does not exist.');
  expect((await rail.get(path)).status).toBe(404);
  expect((await answer(path, 'approve')).status).toBe(404);
});

test('an invalid answer is rejected and decides nothing', async () => {
  const { path, reference } = await challenge();
  expect((await answer(path, 'perhaps')).status).toBe(400);
  expect((await rail.lookup(reference)).body.status).toBe('requires_action');
});
