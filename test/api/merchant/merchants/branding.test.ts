/**
 * New branding applies to the next session's page, whose content security policy allows no more than needed.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSandboxRail } from '../../../../rail/sandbox/index.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { insertShop, type Shop } from '../../../support/db/fixtures.ts';

let api: PeopleApi;
let shop: Shop;

beforeAll(async () => {
  api = await startPeopleApi({
    rails: new Map([['sandbox', createSandboxRail({ baseUrl: 'https://rail.example' })]]),
  });
  shop = await insertShop(api.pool, { name: 'Before' });
});
afterAll(() => api?.stop());

const brand = (body: object) =>
  api.as('owner', shop.merchantId)('PATCH', `/v1/merchants/${shop.merchantId}`, body);

/** The path of a new session's page. */
async function newSession(): Promise<string> {
  const body = { productId: shop.products.oneTime, externalCustomerId: 'customer-1' };
  const answer = await api.request('POST', '/v1/checkouts', { apiKey: shop.apiKey, body });
  expect(answer.status).toBe(201);
  return new URL(answer.body.hostedUrl).pathname;
}

async function open(path: string, language = 'en') {
  const page = await fetch(api.url + path, { headers: { 'accept-language': language } });
  expect(page.status).toBe(200);
  const policy = (page.headers.get('content-security-policy') ?? '').split('; ');
  return { html: await page.text(), policy };
}
const directive = (policy: readonly string[], name: string) =>
  policy.find((each) => each.startsWith(`${name} `))?.slice(name.length + 1);

test('name, logo, colour and language appear on the page of the next session', async () => {
  const earlier = await newSession();
  await brand({
    name: 'Harbour <Coffee>',
    branding: { logo_url: 'https://cdn.shop.example/logo.svg', color: '#123456', language: 'de' },
  });
  const { html } = await open(await newSession(), 'fi');
  expect(html).toContain('<html lang="de" dir="ltr">');
  expect(html).toContain('src="https://cdn.shop.example/logo.svg"');
  expect(html).toContain('--brand:#123456');
  expect(html).toContain('Harbour &#60;Coffee&#62;');

  const { html: before } = await open(earlier);
  expect(before).toContain('Before');
  expect(before).not.toContain('cdn.shop.example');
});

test("the page's content security policy allows images from the logo's origin only", async () => {
  await brand({ branding: { logo_url: null } });
  const plain = (await open(await newSession())).policy;
  await brand({ branding: { logo_url: 'https://cdn.shop.example:8443/logo.svg' } });
  const branded = (await open(await newSession())).policy;

  expect(directive(plain, 'img-src')).toBe("'self' data:");
  expect(directive(branded, 'img-src')).toBe("'self' data: https://cdn.shop.example:8443");
  const rest = (policy: readonly string[]) =>
    policy.filter((each) => !each.startsWith('img-src')).map((each) => each.replace(/nonce-[^']+/g, 'nonce'));
  expect(rest(branded)).toEqual(rest(plain));
  expect(rest(branded)).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'nonce'",
      "style-src 'nonce'",
      "base-uri 'none'",
    ]),
  );
});

test('without branding the page has its default look', async () => {
  await brand({ branding: { logo_url: null, color: null, language: null } });
  const { html } = await open(await newSession());
  expect(html).toContain('<html lang="en" dir="ltr">');
  expect(html).not.toContain('class="logo"');
});
