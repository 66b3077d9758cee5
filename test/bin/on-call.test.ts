/**
 * Runs the first command of each section of docs/on-call.md as the line for Compose does: that service's program, with
 * that service's environment. @reads docs docker-compose.yml Dockerfile
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compose, environmentOf, read } from '../deploy/compose-file.ts';
import { FIRST_COMMANDS, failuresOf, opsLineOf } from '../docs/run-on-call.ts';
import { TEST_PEPPER, TEST_SECRETS_KEY } from '../support/db/fixtures.ts';
import { createSessionWorld, type SessionWorld } from '../support/world/checkout-world.ts';

let world: SessionWorld;
beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world?.close());

test('every first command of the runbook succeeds in Compose', async () => {
  const [docker, ofCompose, envFile, file, run, ...words] = opsLineOf('Compose');
  expect([docker, ofCompose, envFile, file, run]).toEqual([
    'docker',
    'compose',
    '--env-file',
    'deploy/.env',
    'run',
  ]);
  const [name = '', ...program] = words.filter((word) => !word.startsWith('--'));
  expect(program[0]).toBe('node');
  const service = compose.services[name];
  // If the image had an entrypoint, the program would be passed to it as an argument.
  expect(service).toMatchObject({ build: '.' });
  expect(service).not.toHaveProperty('entrypoint');
  expect(read('Dockerfile')).not.toMatch(/^ENTRYPOINT/m);
  const env = environmentOf(service ?? {}, {
    CHECKOUT_DB_PASSWORD: 'password',
    PUBLIC_URL: 'http://127.0.0.1:1',
    API_KEY_PEPPER: TEST_PEPPER,
    SECRETS_KEY: TEST_SECRETS_KEY,
    TEMPORAL_NAMESPACE: world.namespace,
  });
  const hosts = [new URL(env.DATABASE_URL ?? '').hostname, env.TEMPORAL_ADDRESS?.split(':')[0]];
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(hosts));
  const here = { DATABASE_URL: world.databaseUrl, TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS };
  expect(FIRST_COMMANDS.length).toBeGreaterThan(20);
  expect(await failuresOf(FIRST_COMMANDS, program, { ...env, ...here })).toEqual([]);
}, 300_000);

test('the services that the runbook restarts and scales exist', () => {
  const named = [...read('docs/on-call.md').matchAll(/`docker compose … [^`]*?(\w+)(?:=\d+)?`/g)];
  expect(named.map(([, service = '']) => compose.services[service]?.build)).toEqual(['.', '.']);
});
