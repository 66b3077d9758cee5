/** The verification code that the shop displays. */
import { afterAll, expect, jest, test } from '@jest/globals';
import { signWebhook } from '../../../contract/webhook/webhook-signature.ts';
import { isSigned } from '../../../sandbox/shop/core/verify.ts';

const BODY = '{"id":"evt_1","name":"Müller"}';
const now = () => Math.floor(Date.now() / 1_000);
// The tolerance is exact to the second.
jest.spyOn(Date, 'now').mockReturnValue(now() * 1_000);
afterAll(() => {
  jest.restoreAllMocks();
});
const signed = (timestamp = now(), secret = 'whsec_a', body = BODY) =>
  signWebhook({ rawBody: body, secrets: [secret], timestamp });
const verify = (header: string | undefined, body = BODY) => isSigned(Buffer.from(body), header, 'whsec_a');

test("verification accepts the service's signature", () => expect(verify(signed())).toBe(true));

test('verification accepts one valid signature among several, as during a rotation', () =>
  expect(verify(signWebhook({ rawBody: BODY, secrets: ['whsec_old', 'whsec_a'], timestamp: now() }))).toBe(
    true,
  ));

test.each([-300, 300])('verification accepts a timestamp %d s off', (offSeconds) =>
  expect(verify(signed(now() + offSeconds))).toBe(true),
);

test.each([-301, 301])('verification rejects a timestamp %d s off', (offSeconds) =>
  expect(verify(signed(now() + offSeconds))).toBe(false),
);

test.each<[string, string | undefined]>([
  ['no signature', undefined],
  ['an empty signature', ''],
  ["another secret's signature", signed(now(), 'whsec_b')],
  ["another body's signature", signed(now(), 'whsec_a', `${BODY} `)],
  ['a truncated signature', signed().slice(0, -2)],
  ['no timestamp', signed().replace(/^t=\d+,/, '')],
  ['a timestamp without digits', signed().replace(/t=\d+/, 't=now')],
  ['an empty timestamp', signed().replace(/t=\d+/, 't=')],
  ['no v1 part', `t=${now()}`],
  ['a v0 part', signed().replace('v1=', 'v0=')],
  ['a signature that is not hexadecimal', `t=${now()},v1=${'z'.repeat(64)}`],
])('verification rejects %s', (_name, header) => expect(verify(header)).toBe(false));
