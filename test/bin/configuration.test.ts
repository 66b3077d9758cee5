/** @reads docs/configuration.md */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { configurationDocument } from '../../bin/config/document.ts';
import { readConfig } from '../../bin/config/read.ts';
import { TEST_PEPPER, TEST_SECRETS_KEY } from '../support/db/fixtures.ts';
import { BARE_ENV } from '../support/stack/process.ts';

const NEEDED = {
  DATABASE_URL: 'postgres://127.0.0.1/checkout',
  PUBLIC_URL: 'http://127.0.0.1:8080',
  API_KEY_PEPPER: TEST_PEPPER,
  SECRETS_KEY: TEST_SECRETS_KEY,
};

test('the documented table lists exactly the variables that the service reads', () => {
  const file = new URL('../../docs/configuration.md', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(configurationDocument());
});

test.each(['api', 'worker'])(
  'with invalid variables, the %s does not start and lists each fault by its variable',
  async (service) => {
    const env = {
      ...BARE_ENV,
      DATABASE_URL: 'mysql://root:hunter2@127.0.0.1/checkout',
      API_KEY_PEPPER: 'short',
      SECRETS_KEY: 'c2hvcnQ=',
      WEBHOOK_TIMEOUT_SECONDS: 'soon',
      OIDC_ISSUER: 'https://login.example',
      OPERATORS_WEBHOOK_URL: 'https://pager.example',
      TEMPORAL_TLS_CLIENT_CERT_DATA: 'certificate',
    };
    const failed = await promisify(execFile)(process.execPath, [`bin/${service}.ts`], { env }).catch(
      (e) => e,
    );
    expect(failed.code).toBe(1);
    const lines = failed.stderr.trim().split('\n');
    expect(lines[0]).toBe('Invalid configuration (docs/configuration.md):');
    const names = lines.slice(1).map((line: string) => line.trim().split(':')[0]);
    expect(names).toEqual([
      'DATABASE_URL',
      'API_KEY_PEPPER',
      'SECRETS_KEY',
      'PUBLIC_URL',
      'WEBHOOK_TIMEOUT_SECONDS',
      'TEMPORAL_TLS_CLIENT_KEY_DATA',
      'OIDC_AUDIENCE',
      'OPERATORS_WEBHOOK_SECRET',
    ]);
    expect(failed.stderr).toContain('API_KEY_PEPPER: can be guessed: it has fewer than 16 different bytes');
    expect(failed.stderr).toContain('WEBHOOK_TIMEOUT_SECONDS: must be a number');
    expect(failed.stderr).not.toContain('hunter2');
  },
);

test('a worker serves all queues, or only those named', () => {
  expect(readConfig(NEEDED).worker.queues).toEqual(['checkout', 'billing', 'webhooks']);
  expect(readConfig({ ...NEEDED, WORKER_QUEUES: 'webhooks, billing' }).worker.queues).toEqual([
    'webhooks',
    'billing',
  ]);
  for (const WORKER_QUEUES of ['', 'payments']) {
    expect(() => readConfig({ ...NEEDED, WORKER_QUEUES })).toThrow('WORKER_QUEUES');
  }
});
