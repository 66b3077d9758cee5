import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { findAnyRailAccount } from '../../../db/merchant/rail-accounts.ts';
import { SecretBox } from '../../../platform/secrets/encryption.ts';
import { mandateOf, methodTokenOf, railCredentialOf } from '../../../platform/secrets/places.ts';
import { openRailAccount } from '../../../rail/accounts.ts';
import type { Rail } from '../../../rail/rail.ts';
import { insertMerchant, insertRailAccount, testSecretBox } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];
const HERE = methodTokenOf('claim-1');
let database: OpenTestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

test("a credential copied to another merchant's row does not decrypt", async () => {
  const { pool } = database;
  const [mine, theirs] = await Promise.all(
    ['mine', 'theirs'].map(async (token) => {
      const scope = { merchantId: await insertMerchant(pool), environment: 'sandbox' } as const;
      return insertRailAccount(pool, { ...scope, credential: { token } });
    }),
  );
  const opened = async (id: string | undefined) => {
    const row = await findAnyRailAccount(pool, id ?? '');
    if (!row) throw new Error('no account');
    const rails = new Map([['sandbox', { name: 'sandbox' } as Rail]]);
    return openRailAccount({ rails, secretBox: testSecretBox }, row).account.credential.token;
  };
  expect(await opened(theirs)).toBe('theirs');
  await pool.query(sql.unsafe`
    update rail_accounts set credential = (select credential from rail_accounts where id = ${mine ?? ''})
    where id = ${theirs ?? ''}`);
  await expect(opened(theirs)).rejects.toThrow('unable to authenticate');
  const copied = await pool.oneFirst(sql.type(z.object({ credential: z.instanceof(Buffer) }))`
    select credential from rail_accounts where id = ${theirs ?? ''}`);
  expect(testSecretBox.open(copied, railCredentialOf(mine ?? ''))).toContain('mine');
});

test.each([
  ['row', methodTokenOf('claim-2')],
  ['table and column', mandateOf('claim-1')],
])('a value does not decrypt at another %s', (_what, elsewhere) => {
  const box = new SecretBox(OLD);
  const sealed = box.seal('secret', HERE);
  expect(box.open(sealed, HERE)).toBe('secret');
  expect(() => box.open(sealed, elsewhere)).toThrow('unable to authenticate');
});

test('a former key decrypts values but never encrypts any', () => {
  const before = new SecretBox(OLD).seal('secret', HERE);
  const box = new SecretBox(NEW, { formerKeys: [OLD] });
  expect(box.open(before, HERE)).toBe('secret');
  const now = box.seal('secret', HERE);
  expect(new SecretBox(NEW).open(now, HERE)).toBe('secret');
  expect(() => new SecretBox(OLD).open(now, HERE)).toThrow('SECRETS_FORMER_KEYS');
  expect(() => new SecretBox(NEW).open(before, HERE)).toThrow('SECRETS_FORMER_KEYS');
});

test.each([4, 12, 15])('an authentication tag of %d bytes is rejected', (bytes) => {
  const box = new SecretBox(OLD);
  const sealed = box.seal('', HERE);
  expect(() => box.open(sealed.subarray(0, 8 + 12 + bytes), HERE)).toThrow('authentication tag');
});
