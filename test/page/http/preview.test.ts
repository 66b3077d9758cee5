/** The preview of a merchant's branding: the page's own document, with nothing that can be paid. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BrandingPreview, previewAddress } from '../../../page/http/preview-address.ts';
import { testSecretBox } from '../../support/db/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { createSession } from '../core/fixtures.ts';
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

const LOOK = {
  name: 'Lighthouse Books',
  logoUrl: 'https://cdn.shop.example/logo.svg',
  color: '#0f5c8c',
  language: null,
  environment: 'sandbox',
  framedBy: null,
} satisfies BrandingPreview;
const addressOf = (look: Partial<BrandingPreview> = {}, nowMs = Date.now()) =>
  previewAddress(testSecretBox, { ...LOOK, ...look }, nowMs).path;

async function get(path: string) {
  const response = await fetch(served.url + path, { headers: { 'accept-language': 'en' } });
  const policy = (response.headers.get('content-security-policy') ?? '').split('; ');
  return { response, policy, status: response.status, html: await response.text() };
}
/** Omits values that differ between any two loads, and the data of the session. */
const markupOf = (html: string) =>
  html.replace(/nonce="[^"]+"/g, 'nonce').replace(/(id="boot">).*?(<\/script>)/s, '$1$2');

test('the preview is the document that a buyer gets, but inert', async () => {
  const { pageToken } = await createSession(served.pool, {
    name: 'Example product',
    description: 'Your product’s name and description appear here.',
    merchant: { name: LOOK.name, branding: { color: LOOK.color, logo_url: LOOK.logoUrl } },
  });
  const page = await get(`/pay/${pageToken}`);
  const preview = await get(addressOf());
  expect([page.status, preview.status]).toEqual([200, 200]);
  expect(markupOf(preview.html)).toBe(markupOf(page.html).replace('<div id="panel"', '$& inert'));
});

test('the preview may load only script, style and logo, and has an opaque origin', async () => {
  const { policy, response } = await get(addressOf());
  const names = policy.map((each) => each.split(' ')[0]).sort();
  expect(names).toEqual(
    ['base-uri', 'default-src', 'form-action', 'frame-ancestors', 'img-src', 'report-to', 'report-uri']
      .concat('sandbox', 'script-src', 'style-src')
      .sort(),
  );
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('sandbox allow-scripts');
  expect(policy).toContain('img-src data: https://cdn.shop.example');
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('only the API’s origin and the origin in its address may frame the preview; nothing may frame a session’s page', async () => {
  expect((await get(addressOf())).policy).toContain("frame-ancestors 'self'");
  const framed = await get(addressOf({ framedBy: 'https://dashboard.example' }));
  expect(framed.policy).toContain("frame-ancestors 'self' https://dashboard.example");
  expect(framed.response.headers.has('x-frame-options')).toBe(false);

  const { pageToken } = await createSession(served.pool);
  const page = await get(`/pay/${pageToken}`);
  expect(page.policy).toContain("frame-ancestors 'none'");
  expect(page.response.headers.get('x-frame-options')).toBe('DENY');
});

test('the preview contains no session, card fields or form, and its address accepts no requests', async () => {
  const { html } = await get(addressOf());
  const boot = JSON.parse(/id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
  expect(boot.view).toMatchObject({ state: 'created', fields: null, redirect: null, openAttempt: null });
  expect(html).not.toMatch(/<(form|iframe|object|embed|base)\b/);
  for (const path of ['pay', 'state', 'events', 'cancel']) {
    const method = path === 'pay' || path === 'cancel' ? 'POST' : 'GET';
    const init = {
      method,
      ...(method === 'POST' && { body: '{}', headers: { 'content-type': 'application/json' } }),
    };
    expect((await fetch(`${served.url}${addressOf()}/${path}`, init)).status).toBe(404);
  }
});

test('HTML in a name is escaped', async () => {
  const { html } = await get(addressOf({ name: '</script><script>alert(1)</script>' }));
  expect(html).not.toContain('<script>alert');
  expect(html.match(/<script/g)).toHaveLength(3);
});

test('404: an address that was altered, is from another installation, or is older than ten minutes', async () => {
  const path = addressOf();
  const altered = path.slice(0, -2) + (path.endsWith('AA') ? 'BB' : 'AA');
  for (const each of [altered, '/pay/preview/AAAA', addressOf({}, Date.now() - 601_000)]) {
    const { status, html, policy } = await get(each);
    expect(status).toBe(404);
    expect(html).toContain('This payment page does not exist');
    expect(policy).toContain("frame-ancestors 'none'");
  }
});
