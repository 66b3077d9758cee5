import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { SECTIONS } from '../../bin/config/environment-variables.ts';
import { readConfig } from '../../bin/config/read.ts';
import { TEMPORAL_VARIABLES } from '../../bin/config/temporal.ts';
import { SecretBox } from '../../platform/secrets/encryption.ts';
import { readConfig as readRailConfig } from '../../sandbox/rail/config.ts';
import {
  COMPOSE_TEXT,
  compose,
  environmentOf,
  interpolate,
  PROJECT,
  parseEnvFile,
  read,
} from './compose-file.ts';

const run = promisify(execFile);
let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'make-env-'));
  file = join(dir, '.env');
});
afterEach(() => rmSync(dir, { recursive: true }));

function makeEnv(...options: string[]): Record<string, string> {
  execFileSync(join(PROJECT, 'deploy/make-env.sh'), [...options, file]);
  return parseEnvFile(readFileSync(file, 'utf8'));
}

const SECRETS = [
  'API_KEY_PEPPER',
  'SECRETS_KEY',
  'POSTGRES_PASSWORD',
  'CHECKOUT_DB_PASSWORD',
  'TEMPORAL_DB_PASSWORD',
  'RAIL_DB_PASSWORD',
];

describe('deploy/make-env.sh', () => {
  test('writes everything that docker-compose.yml requires, readable by its owner only', () => {
    const variables = makeEnv();
    expect(() => interpolate(COMPOSE_TEXT, variables)).not.toThrow();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('generates distinct secrets of 256 random bits in each run', () => {
    const first = makeEnv();
    rmSync(file);
    const second = makeEnv();
    const values = SECRETS.flatMap((name) => [first[name], second[name]]);
    expect(new Set(values).size).toBe(2 * SECRETS.length);
    for (const name of SECRETS.filter((each) => each !== 'SECRETS_KEY'))
      expect(first[name]).toMatch(/^[0-9a-f]{64}$/);
    expect(Buffer.from(first.SECRETS_KEY ?? '', 'base64')).toHaveLength(32);
  });

  test('fails and leaves an existing file unchanged', async () => {
    makeEnv();
    const before = readFileSync(file, 'utf8');
    await expect(run(join(PROJECT, 'deploy/make-env.sh'), [file])).rejects.toMatchObject({ code: 1 });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('writes the sandbox rail’s variables only with --sandbox', () => {
    expect(makeEnv()).not.toHaveProperty('SANDBOX_RAIL_URL');
    rmSync(file);
    expect(makeEnv('--sandbox')).toHaveProperty('SANDBOX_RAIL_URL');
  });

  test('gives a test environment its own project and image, apart from an installation on the same machine', () => {
    const named = (variables: Record<string, string>) => {
      const text = interpolate(COMPOSE_TEXT, variables);
      return [/^name: (.*)$/m.exec(text)?.[1], /image: hosted-checkout:(.*)$/m.exec(text)?.[1]];
    };
    const installation = named(makeEnv());
    rmSync(file);
    const sandbox = named(makeEnv('--sandbox'));
    expect(installation[0]).toBe('hosted-checkout');
    expect(sandbox).toEqual(['hosted-checkout-sandbox', 'sandbox']);
    expect(installation[1]).not.toBe('sandbox');
  });
});

/** Variables of docs/configuration.md that the compose file neither sets nor passes through, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  API_HOST: 'set by the image',
  WORKFLOW_BUNDLE: 'set by the image',
  DATABASE_DIRECT_URL: 'no pooler is between the containers and PostgreSQL',
  WORKER_QUEUES: 'the only worker service has to serve every queue',
  WEBHOOK_ALLOW_LOOPBACK: 'for development',
  STRIPE_API_URL: 'for development',
  STRIPE_SCRIPT_URL: 'for development',
  OPS_TOKEN: 'belongs to the person who runs a command',
};

/** Variables whose default in the compose file differs from the service's, which only suits a clone. */
const OTHER_EXAMPLE = new Set(['TRUSTED_PROXIES', 'RUNBOOK_URL']);

describe('the environment of the containers', () => {
  const ofConfig = new Set([
    ...Object.values(SECTIONS).flatMap((section) => Object.keys(section)),
    ...Object.keys(TEMPORAL_VARIABLES),
  ]);

  test.each(['api', 'worker'])('contains only variables that the configuration of %s reads', (name) => {
    const service = compose.services[name] ?? {};
    expect(Object.keys(service.environment ?? {}).filter((variable) => !ofConfig.has(variable))).toEqual([]);
    const config = readConfig(environmentOf(service, makeEnv()));
    expect(config.database.url).toMatch(/^postgres:\/\/checkout:[0-9a-f]{64}@postgres:5432\/checkout$/);
    expect(config.temporal.address).toBe('temporal:7233');
    expect(config.rails.sandboxUrl).toBeUndefined();
    expect(() => new SecretBox(config.secrets.key)).not.toThrow();
  });

  test('contains every variable of docs/configuration.md, except those that the document excludes', () => {
    const given = new Set(
      ['api', 'worker'].flatMap((name) => Object.keys(compose.services[name]?.environment ?? {})),
    );
    // `TEMPORAL_*` is only for an external Temporal.
    const missing = [...ofConfig].filter((name) => !given.has(name) && !name.startsWith('TEMPORAL_'));
    expect(missing.sort()).toEqual(Object.keys(LEFT_OUT).sort());
    const about = /^With Compose, .*$/m.exec(read('docs/configuration.md'))?.[0] ?? '';
    expect(missing.filter((name) => !about.includes(`\`${name}\``))).toEqual([]);
  });

  test('has the defaults that deploy/env.example shows', () => {
    const examples = new Map(
      [...read('deploy/env.example').matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
    const forms = Object.values(SECTIONS).flatMap((section) => Object.entries<z.ZodType>(section));
    const shown = forms.flatMap(([name, form]) => {
      const fallback = form.safeParse(undefined).data;
      const example = examples.get(name);
      return example === undefined || fallback === undefined || OTHER_EXAMPLE.has(name)
        ? []
        : [{ name, same: isDeepStrictEqual(form.parse(example), fallback) }];
    });
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter(({ same }) => !same)).toEqual([]);
  });

  test('exposes a worker’s health check to other containers', () => {
    const config = readConfig(environmentOf(compose.services.worker ?? {}, makeEnv()));
    expect(config.worker.healthHost).toBe('0.0.0.0');
  });

  test('includes the sandbox rail’s URL with --sandbox', () => {
    const variables = makeEnv('--sandbox');
    const config = readConfig(environmentOf(compose.services.api ?? {}, variables));
    expect(config.rails.sandboxUrl).toBe(variables.SANDBOX_RAIL_URL);
  });

  test('gives migrations and API the same database', () => {
    const variables = makeEnv();
    const url = (name: string) => environmentOf(compose.services[name] ?? {}, variables).DATABASE_URL;
    expect(url('migrate')).toBe(url('api'));
  });
});

test('the sandbox rail listens on the loopback address, and gets only variables that it reads', () => {
  const service = compose.services['sandbox-rail'] ?? {};
  const known = new Set(
    [...read('sandbox/rail/config.ts').matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name),
  );
  expect(Object.keys(service.environment ?? {}).filter((variable) => !known.has(variable))).toEqual([]);
  expect(JSON.stringify(service.ports)).toContain('{RAIL_BIND:-127.0.0.1:4000}');
  const variables = makeEnv('--sandbox');
  expect(variables.RAIL_BIND).toBe('127.0.0.1:4000');
  const { RAIL_HOST: host, ...environment } = environmentOf(service, variables);
  expect(readRailConfig(environment).host).toBe('127.0.0.1');
  // A container's loopback address is unreachable from outside.
  expect(host).toBe('0.0.0.0');
});
