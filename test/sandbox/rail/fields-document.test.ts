import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fieldsUrlOf } from './fields-page.ts';
import { ACCOUNT, type RunningRail, startRail } from './running-rail.ts';

const ORIGIN = 'https://pay.example';

let rail: RunningRail;
beforeAll(async () => {
  rail = await startRail();
});
afterAll(() => rail.close());

function open(values: Record<string, string> = {}) {
  const url = new URL(fieldsUrlOf(rail.url, { origin: ORIGIN, ...values }));
  return rail.get(url.pathname + url.search);
}

test('only the requested page may frame the document, which runs only its own script', async () => {
  const { headers } = await open();
  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy).toContain(`frame-ancestors ${ORIGIN}`);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toContain('unsafe');
});

test.each([
  ['an unknown account', { account: 'acct_none' }, 404, 'account_not_found'],
  ['no origin', { origin: '' }, 400, 'origin_invalid'],
  ['an origin with a path', { origin: 'https://shop.example/pay' }, 400, 'origin_invalid'],
  ['an injected directive', { origin: 'https://x; script-src *' }, 400, 'origin_invalid'],
  ['an origin that is not http', { origin: 'javascript:alert(1)' }, 400, 'origin_invalid'],
])('%s is rejected', async (_what, values, status, code) => {
  const answer = await open(values);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('in the language %s the document shows %s', async () => {
  const account = { ...ACCOUNT, id: 'acct_with_origins', secret: 'the_secret_of_one_with_origins' };
  await rail.rail.putAccount({ ...account, pageOrigins: [ORIGIN] });
  const framed = async (origin: string) => (await open({ account: account.id, origin })).status;
  expect([await framed(ORIGIN), await framed('https://evil.example')]).toEqual([200, 403]);
});

test.each([
  ['de', 'Kartennummer'],
  ['de-AT', 'Kartennummer'],
  ['en', 'Card number'],
  ['fi', 'Card number'],
])('in the language %s the document contains “%s”', async (lang, words) => {
  const { body } = await open({ lang });
  expect(body).toContain(words);
  expect(body).toContain(`<html lang="${words === 'Kartennummer' ? 'de' : 'en'}" dir="ltr">`);
});
