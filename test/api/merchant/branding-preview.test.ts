import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AdminApi, describeGate, startAdminApi } from '../../support/api/admin-api.ts';
import { expectRefusal } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';

let api: AdminApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api?.server.stop());

const preview = (query: Readonly<Record<string, string>>) =>
  api.admin('GET', `/branding-preview?${new URLSearchParams({ environment: 'sandbox', ...query })}`);

describe('GET /branding-preview', () => {
  describeGate(() => api, 'GET', '/branding-preview');

  test('200: returns the URL of a page with the requested branding, and saves nothing', async () => {
    const before = (await api.admin('GET', '')).body;
    const look = {
      name: 'Harbour <Tea>',
      logo_url: 'https://cdn.shop.example/l.svg',
      color: '#123',
      language: 'de',
    };
    const { status, body } = await preview({ ...look, origin: 'https://dashboard.example' });
    expect(status).toBe(200);
    const page = await fetch(api.server.url + new URL(body.url).pathname);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(html).toContain('Harbour &#60;Tea&#62;');
    expect(html).toContain('--brand:#112233');
    expect(html).toContain('src="https://cdn.shop.example/l.svg"');
    expect(page.headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self' https://dashboard.example;",
    );
    const after = (await api.admin('GET', '')).body;
    expect({ ...after, request_id: '' }).toEqual({ ...before, request_id: '' });
  });

  test('200: without values, the page has the merchant’s name and its default colours', async () => {
    const { body } = await preview({});
    const html = await (await fetch(api.server.url + new URL(body.url).pathname)).text();
    expect(html).toContain('--brand:#1f3ae0');
    expect(html).toContain((await api.admin('GET', '')).body.name);
  });

  test.each([
    ['color', 'red;background:url(//evil)'],
    ['logo_url', 'http://cdn.shop.example/l.svg'],
    ['logo_url', 'https://cdn.shop.example;script-src *'],
    ['language', 'de"><script>'],
    ['name', ''],
    ['origin', "https://evil.example 'unsafe-inline'"],
    ['origin', 'https://evil.example; script-src *'],
    ['origin', '*'],
    ['environment', 'both'],
  ])('400: %s=%s', async (name, value) => {
    const answer = await preview({ [name]: value });
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.body.message).toContain(name);
  });
});

seesEveryAnswerOf('previewBranding');
