/** The credential of a page's account is decrypted once, and the cached value follows the row. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Session } from '../../../db/session/read/find-session.ts';
import type { PageContext } from '../../../page/http/context.ts';
import { fieldsOf } from '../../../page/http/rail-fields.ts';
import { SecretBox } from '../../../platform/secrets/encryption.ts';
import { railCredentialOf } from '../../../platform/secrets/places.ts';
import { createSandboxRail, SANDBOX_CAPABILITIES } from '../../../rail/sandbox/index.ts';

class CountingBox extends SecretBox {
  opened = 0;
  override open(...sealed: Parameters<SecretBox['open']>): string {
    this.opened += 1;
    return super.open(...sealed);
  }
}

const secretBox = new CountingBox(randomBytes(32).toString('base64'));
const context = {
  rails: new Map([['sandbox', createSandboxRail({ baseUrl: 'http://127.0.0.1:1' })]]),
  secretBox,
  config: { api: { publicUrl: 'http://127.0.0.1:2' } },
} as unknown as PageContext;

function sessionOf(accountId: string, account: string, more: object = {}): Session {
  const credential = JSON.stringify({ account, secret: 'a-secret', webhookSecret: 'another' });
  return {
    merchant_id: 'm',
    environment: 'sandbox',
    amount: 1_000,
    currency: 'EUR',
    account: { id: accountId, rail: 'sandbox', status: 'active', capabilities: SANDBOX_CAPABILITIES },
    credential: secretBox.seal(credential, railCredentialOf(accountId)),
    ...more,
  } as unknown as Session;
}
const urlOf = (session: Session, language = 'en') => fieldsOf(context, session, language)?.fieldsUrl;

test('a credential is decrypted once for repeated requests, and again for another row or language', () => {
  const session = sessionOf('a', 'first');
  const before = secretBox.opened;
  const first = urlOf(session);
  expect(first).toContain('account=first');
  expect(urlOf({ ...session, credential: Buffer.from(session.credential) })).toBe(first);
  expect(secretBox.opened - before).toBe(1);

  expect(urlOf(session, 'de')).toContain('lang=de');
  expect(urlOf(sessionOf('a', 'second'))).toContain('account=second');
  expect(urlOf(sessionOf('b', 'third'))).toContain('account=third');
  expect(secretBox.opened - before).toBe(4);
});

test('an account without cards has no card fields, even with a cached entry', () => {
  const session = sessionOf('a', 'first');
  expect(urlOf(session)).toBeDefined();
  const account = {
    ...session.account,
    capabilities: { ...session.account.capabilities, cardFields: false },
  };
  expect(urlOf({ ...session, account })).toBeUndefined();
});

test('beyond a thousand entries, the oldest is dropped and decrypted again when needed', () => {
  const session = sessionOf('c', 'first');
  urlOf(session);
  for (let amount = 1; amount <= 1_000; amount += 1) urlOf({ ...session, amount: 5_000 + amount });
  const before = secretBox.opened;
  urlOf({ ...session, amount: 6_000 });
  expect(secretBox.opened).toBe(before);
  urlOf(session);
  expect(secretBox.opened).toBe(before + 1);
});
