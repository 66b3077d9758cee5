import { describe, expect, test } from '@jest/globals';
import { fieldsDocument, STRIPE_SCRIPT_URL } from '../../../rail/stripe/fields-document.ts';

const request = (query: Record<string, string> = {}) => ({
  query: new URLSearchParams(query),
  pageOrigin: 'https://pay.example',
  nonce: 'bm9uY2U=',
  scriptUrl: '/pay/assets/stripe-fields-1.js',
  scriptIntegrity: 'sha384-abc',
});
const settings = { publishableKey: 'pk_test_1', scriptUrl: STRIPE_SCRIPT_URL };

describe('the card-field document', () => {
  test('allows only the sources that Stripe documents for its fields', () => {
    const { contentSecurityPolicy } = fieldsDocument(settings, request());
    expect(contentSecurityPolicy.split('; ')).toEqual([
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      'frame-ancestors https://pay.example',
      "script-src 'nonce-bm9uY2U=' https://js.stripe.com https://*.js.stripe.com",
      "style-src 'nonce-bm9uY2U='",
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
      'connect-src https://api.stripe.com',
    ]);
  });

  test('escapes the values of its query', () => {
    const { html } = fieldsDocument(
      settings,
      request({ lang: '"><script>alert(1)</script>', currency: '</script>' }),
    );
    expect(html).toContain('src="/pay/assets/stripe-fields-1.js" integrity="sha384-abc"');
    expect(html).not.toContain('<script>alert');
    expect(html.match(/<\/script>/g)).toHaveLength(html.match(/<script/g)?.length ?? 0);
  });

  test("is in the buyer's language", () => {
    const { html } = fieldsDocument(settings, request({ lang: 'de' }));
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(html).toContain('Kartennummer');
  });
});
