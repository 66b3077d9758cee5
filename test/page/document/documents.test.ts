import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { LANGUAGES } from '../../../domain/core/languages.ts';
import { type PriceValues, RECURRING } from '../../support/db/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { addAttempt, createSession, moveTo, type SessionOptions } from '../core/fixtures.ts';
import { type ServedPage, servePage } from '../core/serve.ts';

let database: TestDatabase;
let served: ServedPage;

beforeAll(async () => {
  database = await createTestDatabase();
  served = await servePage({ databaseUrl: database.url });
});
afterAll(async () => {
  await served.close();
  await database.drop();
});

const SUPPORT = {
  supportEmail: 'help@shop.example',
  supportUrl: 'https://shop.example/help',
  supportPhone: '+49 (40) 123-456',
};

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${served.url}/pay/${path}`, {
    headers: { accept: 'text/html', ...headers },
    redirect: 'manual',
  });
  return {
    response,
    status: response.status,
    html: await response.text(),
    policy: response.headers.get('content-security-policy') ?? '',
  };
}

test('the page shows merchant, product and amount without its script', async () => {
  const { pageToken } = await createSession(served.pool);
  const { status, html } = await get(pageToken);
  expect(status).toBe(200);
  for (const text of [
    'Lighthouse Books',
    'The Tide Tables, hardcover',
    '€19.00',
    'Includes 19% VAT (€3.03)',
  ]) {
    expect(html).toContain(text);
  }
});

test('a product’s image is shown from our own origin, lazily and with its size', async () => {
  const { pageToken, id } = await createSession(served.pool);
  await served.pool.query(sql.unsafe`
    update checkouts set terms = jsonb_set(terms, '{product,image}', '{ "name": "c0ffee.png", "width": 30, "height": 20 }')
    where id = ${id}`);
  expect((await get(pageToken)).html).toContain(
    '<img class="product-image" src="/pay/images/c0ffee.png" alt="" loading="lazy" decoding="async" width="30" height="20">',
  );
});

test('a quantity set by the shop precedes the product, taxed or not; one chosen by the buyer has a field', async () => {
  const range = { min: 1, max: 9 };
  const named = async (session: SessionOptions) => {
    const { html } = await get((await createSession(served.pool, { range, ...session })).pageToken);
    return /<p class="product-name" dir="auto">(.*?)<\/p>/.exec(html)?.[1];
  };
  expect(await named({ quantity: 3 })).toBe('3 × The Tide Tables, hardcover');
  expect(await named({ quantity: 3, price: { taxRate: 0 } })).toBe('3 × The Tide Tables, hardcover');
  expect(await named({ quantity: 1 })).toBe('The Tide Tables, hardcover');
  expect(await named({})).toBe('The Tide Tables, hardcover');
});

test('the summary shows quantity, net, tax and total, unless nothing is taxed', async () => {
  const rows = async (price: PriceValues) => {
    const { html } = await get((await createSession(served.pool, { price })).pageToken);
    const list = /<dl class="totals">(.*?)<\/dl>/.exec(html)?.[1];
    return list && [...list.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, ...row]) => row.join(': '));
  };
  expect(await rows({})).toEqual(['Quantity: 1', 'Net: €15.97', 'VAT 19%: €3.03', 'Total: €19.00']);
  expect(await rows({ taxRate: 0 })).toBeUndefined();
  expect(await rows({ ...RECURRING, trialPeriodDays: 14 })).toBeUndefined();
});

test.each([
  ['succeeded', null, 'This is already paid', 'paid on'],
  ['failed', 'expired', 'The time to pay is over', 'not charged'],
  ['failed', 'attempts_exhausted', 'None of the attempts was successful', 'not charged'],
  ['reconciliation_required', null, 'Do not pay again', '</dl>'],
] as const)(
  'a session that is %s (%s) shows its facts and a contact, and asks for no payment',
  async (state, reason, ...texts) => {
    const session = await createSession(served.pool, { price: RECURRING, merchant: SUPPORT });
    await addAttempt(served.pool, session, { status: state === 'succeeded' ? state : 'failed' });
    await moveTo(served.pool, session, state, reason);
    const { html } = await get(session.pageToken);
    const body = html.slice(0, html.indexOf('id="boot"'));
    for (const text of [
      ...texts,
      'The Tide Tables, hardcover',
      session.id,
      'Lighthouse Books GmbH\nHafenweg 1',
      'href="mailto:help@shop.example"',
      'href="https://shop.example/help"',
      'href="tel:+4940123456"',
      '<dt>Date</dt>',
    ])
      expect(body).toContain(text);
    expect(body.includes('href="http://localhost:3000/')).toBe(state !== 'reconciliation_required');
    expect(body).not.toMatch(/due today|You pay|<title>Pay|Subscribe to/);
    expect(body.includes('is charged automatically')).toBe(state === 'succeeded');
  },
);

test('404 with a page: an unknown, malformed or undecodable token', async () => {
  for (const id of ['ap_chk_unknown', '%00', 'x'.repeat(3_000), '%E0%A4%A', "'--"]) {
    const { status, html } = await get(id);
    expect(status).toBe(404);
    expect(html).toContain('This payment page does not exist');
  }
  expect((await get('ap_chk_unknown', { 'accept-language': 'de' })).html).toContain(
    'Diese Zahlungsseite gibt es nicht',
  );
});

test('a merchant’s text is escaped wherever it appears', async () => {
  const evil = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'&`;
  const { pageToken } = await createSession(served.pool, {
    name: evil,
    description: evil,
    merchant: { name: evil },
  });
  const { html } = await get(pageToken);
  expect(html).not.toContain('<script>alert');
  expect(html).not.toContain('<img src=x');
  expect(html.match(/<script/g)).toHaveLength(3);
  const boot = JSON.parse(/id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
  expect(boot.view.product.name).toBe(evil);
});

test('the policy allows our own script by nonce, the rail’s fields in a frame, and nothing else', async () => {
  const { pageToken } = await createSession(served.pool);
  const { response, html, policy } = await get(pageToken);
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
  expect(nonce.length).toBeGreaterThan(20);
  for (const [tag] of html.matchAll(
    /<(script(?! type="application\/json")|style|link rel="stylesheet")[^>]*>/g,
  )) {
    expect(tag).toContain(`nonce="${nonce}"`);
  }
  expect(html).not.toMatch(/ style="| on[a-z]+="/);
  expect(html).toMatch(/<script type="module" id="app" src="[^"]+" integrity="sha384-[^"]{64}" nonce=/);
  expect(policy).toMatch(/report-to policy; report-uri \/pay\/csp-reports$/);
  expect(response.headers.get('reporting-endpoints')).toBe('policy="/pay/csp-reports"');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src 'nonce-${nonce}';`);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("frame-src 'self' http://127.0.0.1:1;");
  expect(policy).not.toMatch(/unsafe|\*|https:/);
  expect((await get(pageToken)).policy).not.toContain(nonce);
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('x-robots-tag')).toContain('noindex');
});

test('a logo is loaded over https only, and only from the logo’s origin', async () => {
  const logo = (logo_url: string) => createSession(served.pool, { merchant: { branding: { logo_url } } });
  const good = await get((await logo('https://cdn.example/logo.png')).pageToken);
  expect(good.policy).toContain("img-src 'self' data: https://cdn.example;");
  expect(good.html).toContain('src="https://cdn.example/logo.png"');
  const bad = await get((await logo('http://cdn.example/logo.png')).pageToken);
  expect(bad.html).not.toContain('cdn.example');
});

test('the language is the buyer’s choice, else the checkout’s, the browser’s, the merchant’s', async () => {
  const plain = await createSession(served.pool);
  const german = await createSession(served.pool, { merchant: { branding: { language: 'de' } } });
  const french = await createSession(served.pool, {
    locale: 'fr-CH',
    merchant: { branding: { language: 'de' } },
  });
  const unknown = await createSession(served.pool, { locale: 'ja-JP' });
  const languageOf = async (path: string, accept = 'en') =>
    /<html lang="(\w+)"/.exec((await get(path, { 'accept-language': accept })).html)?.[1];
  expect(await languageOf(plain.pageToken, 'de-AT,de;q=0.9')).toBe('de');
  expect(await languageOf(plain.pageToken, 'xx')).toBe('en');
  expect(await languageOf(plain.pageToken, 'fi,pl;q=0.8,de;q=0.5')).toBe('pl');
  expect(await languageOf(german.pageToken)).toBe('en');
  expect(await languageOf(german.pageToken, 'fi')).toBe('de');
  expect(await languageOf(german.pageToken, '*')).toBe('de');
  expect(await languageOf(french.pageToken)).toBe('fr');
  expect(await languageOf(`${french.pageToken}/challenge`)).toBe('fr');
  expect(await languageOf(unknown.pageToken, 'es')).toBe('es');
  expect(await languageOf(`${french.pageToken}?lang=ja`)).toBe('fr');
  expect(await languageOf(`${german.pageToken}?lang=en`)).toBe('en');
  expect(await languageOf(`${plain.pageToken}?lang=__proto__`)).toBe('en');
  expect(await languageOf(`${plain.pageToken}?lang=de&lang=en`)).toBe('en');
});

test('the buyer can switch to each language, without the script', async () => {
  const { pageToken } = await createSession(served.pool);
  const { html } = await get(`${pageToken}?lang=pl`);
  expect(html).toContain('</span> Polski</summary><nav aria-label="Język">');
  expect(html).toContain('<a href="?lang=pl" lang="pl" hreflang="pl" aria-current="true">Polski</a>');
  for (const [language, name] of [
    ['de', 'Deutsch'],
    ['fr', 'Français'],
    ['pt', 'Português'],
  ])
    expect(html).toContain(
      `<a href="?lang=${language}" lang="${language}" hreflang="${language}">${name}</a>`,
    );
  expect(html.match(/hreflang=/g)).toHaveLength(LANGUAGES.length);
});

test.each([
  ['the checkout’s region', 'de-AT', 'de-DE', '€\u00a019,00'],
  ['the browser’s region', 'de', 'de-AT,de;q=0.9', '€\u00a019,00'],
  ['the language alone', 'de', 'en-GB', '19,00\u00a0€'],
])('amounts are written as in %s', async (_whose, locale, accept, amount) => {
  const { pageToken } = await createSession(served.pool, { locale });
  expect((await get(pageToken, { 'accept-language': accept })).html).toContain(amount);
});

test('only the challenge document may frame any https origin', async () => {
  const session = await createSession(served.pool);
  await addAttempt(served.pool, session, {
    status: 'requires_action',
    challengeUrl: 'https://bank.example/3ds?a=1&b=2',
  });
  await moveTo(served.pool, session, 'requires_action');
  const { html, policy } = await get(`${session.pageToken}/challenge`);
  expect(html).toContain('<iframe src="https://bank.example/3ds?a=1&#38;b=2"');
  expect(policy).toContain("frame-src 'self' https:");
  expect(policy).toContain("frame-ancestors 'self'");
  // No other document may embed the bank's page in a frame.
  expect((await get(session.pageToken)).policy).not.toContain('https:');
});

test('without an open challenge the challenge document frames nothing', async () => {
  const { pageToken } = await createSession(served.pool);
  const { status, html } = await get(`${pageToken}/challenge`);
  expect(status).toBe(200);
  expect(html).not.toContain('<iframe');
  expect((await get('ap_chk_unknown/challenge')).status).toBe(404);
});

test('the return from the bank accepts GET and POST, and links to the page', async () => {
  const { pageToken } = await createSession(served.pool);
  const { html, policy } = await get(`${pageToken}/challenge/return?whatever=1`);
  expect(html).toContain(`href="${served.url}/pay/${pageToken}?returned=1"`);
  expect(policy).toMatch(/script-src 'nonce-/);
  const posted = await fetch(`${served.url}/pay/${pageToken}/challenge/return`, {
    method: 'POST',
    body: new URLSearchParams({ cres: 'x' }),
  });
  expect(posted.status).toBe(200);
});

test('script and style are compressed, cacheable indefinitely and below 17 kB together', async () => {
  const { pageToken } = await createSession(served.pool);
  const { html } = await get(pageToken);
  const paths = [...html.matchAll(/(?:src|href)="(\/pay\/assets\/[^"]+)"/g)].map(([, path]) => path);
  expect(paths).toHaveLength(2);
  expect(html).toContain('<link rel="icon" href="data:image/svg+xml,%3Csvg');
  let compressedBytes = 0;
  for (const path of paths) {
    const response = await fetch(served.url + path, { headers: { 'accept-encoding': 'br' } });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(response.headers.get('content-type')).toMatch(/^text\/(css|javascript)/);
    compressedBytes += Number(response.headers.get('content-length'));
  }
  expect(compressedBytes).toBeLessThan(17_000);
  expect((await get('assets/nothing.js')).status).toBe(404);
});

test('a page of another version gets this version’s script, uncacheable', async () => {
  const { response, html } = await get('assets/main-OTHERHASH.js');
  expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(html.length).toBeGreaterThan(1_000);
});

test('503 with a page: the database cannot be reached', async () => {
  const lost = await createTestDatabase();
  const alone = await servePage({ databaseUrl: lost.url });
  const { pageToken } = await createSession(alone.pool, { email: 'canary@example.com' });
  await lost.drop();
  const page = await fetch(`${alone.url}/pay/${pageToken}`, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(503);
  expect(await page.text()).toContain('This page cannot be shown right now');
  const state = await fetch(`${alone.url}/pay/${pageToken}/state`);
  expect(state.status).toBe(503);
  expect(await state.json()).toMatchObject({ state: 'unknown', code: 'dependency_unavailable' });
  expect(alone.log.join()).not.toContain(pageToken);
  await alone.close();
});
