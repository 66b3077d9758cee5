import { expect, test } from '@jest/globals';
import { connectionOf } from '../../../db/core/connection.ts';

const URL = 'postgres://user:secret@db.internal:5432/checkout';
const CA = new globalThis.URL('../../platform/outbound/tls/ca.crt', import.meta.url).pathname;

test('a database URL without options stays unchanged', () => {
  expect(connectionOf(URL)).toEqual({ connectionString: URL, ssl: false, connectionTimeoutMillis: 3_000 });
  expect(connectionOf(`${URL}?sslmode=disable&application_name=api`)).toEqual({
    connectionString: `${URL}?application_name=api`,
    ssl: false,
    connectionTimeoutMillis: 3_000,
  });
});

test('connect_timeout is in seconds', () => {
  expect(connectionOf(`${URL}?connect_timeout=30`)).toEqual({
    connectionString: URL,
    ssl: false,
    connectionTimeoutMillis: 30_000,
  });
});

test.each(['require', 'verify-full'])('sslmode=%s checks the certificate', (mode) => {
  expect(connectionOf(`${URL}?sslmode=${mode}`).ssl).toEqual({ rejectUnauthorized: true });
});

test('a CA certificate alone enables TLS', () => {
  expect(connectionOf(`${URL}?sslrootcert=${CA}`)).toEqual({
    connectionString: URL,
    connectionTimeoutMillis: 3_000,
    ssl: { rejectUnauthorized: true, ca: expect.stringContaining('BEGIN CERTIFICATE') },
  });
});

test.each([
  ['sslmode=prefer', 'sslmode must be one of'],
  ['sslcert=/a', 'sslcert and sslkey'],
  ['connect_timeout=0', 'connect_timeout must be'],
  ['connect_timeout=3s', 'connect_timeout must be'],
  ['sslrootcert=/nowhere', 'ENOENT'],
])('the connection option %s is rejected', (setting, message) => {
  expect(() => connectionOf(`${URL}?${setting}`)).toThrow(message);
});
