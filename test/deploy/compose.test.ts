import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import {
  COMPOSE_TEXT,
  compose,
  environmentOf,
  jobs,
  PROJECT,
  read,
  services,
  variablesOf,
} from './compose-file.ts';

/** Optional variables, and variables whose names only sound like secrets. */
const OPTIONAL = new Set(['SECRETS_FORMER_KEYS', 'OIDC_TOKEN_TYPE', 'OPERATORS_WEBHOOK_SECRET']);
const SECRET_NAME = /PASSWORD|PWD|SECRET|KEY|PEPPER|TOKEN|CREDENTIAL/;

describe('docker-compose.yml', () => {
  test('is valid against the official Compose Specification', () => {
    const validate = new Ajv2020({ strict: false, allErrors: true }).compile(
      JSON.parse(read('test/deploy/compose-spec/compose-spec.json')),
    );
    validate(compose);
    expect(validate.errors).toBeNull();
    // Proves that the schema rejects errors.
    expect(validate({ services: { api: { image: 'x', healthchek: {} } } })).toBe(false);
  });

  test('contains a complete deployment: database, Temporal with schema and UI, API, workers and a sandbox rail', () => {
    expect(Object.keys(compose.services).sort()).toEqual([
      'api',
      'migrate',
      'postgres',
      'sandbox-rail',
      'temporal',
      'temporal-namespace',
      'temporal-schema',
      'temporal-ui',
      'worker',
    ]);
  });

  test('starts the sandbox rail only with its profile, and all other services always', () => {
    const withProfile = services.filter(([, { profiles }]) => profiles).map(([name]) => name);
    expect(withProfile).toEqual(['sandbox-rail']);
    expect(compose.services['sandbox-rail']?.profiles).toEqual(['sandbox']);
  });

  test.each(services)(
    '%s has a health check or is a job that others wait for',
    (name, { healthcheck, restart }) => {
      if (jobs.has(name)) {
        expect(healthcheck).toEqual({ disable: true });
        expect(restart).toMatch(/^on-failure:\d+$/);
      } else {
        expect(healthcheck?.test?.[0]).toBe('CMD');
        expect(restart).toBe('unless-stopped');
      }
    },
  );

  test.each(services)('%s pins the version and the digest of its image', (_name, { image }) => {
    expect(image).toMatch(
      /^[a-z0-9/.-]+:(\d+\.\d+(\.\d+)?@sha256:[0-9a-f]{64}|\$\{SERVICE_VERSION:-\d+\.\d+\.\d+\})$/,
    );
  });

  test('has its image digests updated by Renovate, like the Dockerfile', () => {
    expect(JSON.parse(read('.github/renovate.json')).extends).toContain('docker:pinDigests');
  });

  test.each(services)('%s runs without privileges and within limits', (name, service) => {
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
      // Not Temporal UI, which writes its configuration next to its binary.
      read_only: name !== 'temporal-ui',
      tmpfs: expect.arrayContaining(['/tmp']),
    });
    expect(service).not.toHaveProperty('privileged');
    // Only PostgreSQL's entrypoint begins as root.
    if (name !== 'postgres') expect(service.cap_add).toBeUndefined();
  });

  test('builds the version that package.json names', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(compose.services.api?.image).toBe(`hosted-checkout:\${SERVICE_VERSION:-${version}}`);
  });

  test.each(services)(
    '%s depends only on services that exist, with a condition they can meet',
    (_name, service) => {
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(compose.services).toHaveProperty(other);
        expect(condition).toBe(jobs.has(other) ? 'service_completed_successfully' : 'service_healthy');
      }
    },
  );

  test.each(services)(
    '%s publishes its ports on the loopback address by default',
    (_name, { ports = [] }) => {
      for (const port of ports) expect(port).toMatch(/^("?127\.0\.0\.1:|\$\{[A-Z]+_BIND:-127\.0\.0\.1:)/);
    },
  );

  test.each(services)('%s mounts existing files and executable scripts', (_name, { volumes = [] }) => {
    for (const volume of volumes.filter((each) => each.startsWith('./'))) {
      const path = join(PROJECT, volume.split(':')[0] ?? '');
      expect(existsSync(path)).toBe(true);
      if (path.endsWith('.sh')) expect(statSync(path).mode & 0o111).not.toBe(0);
    }
  });
});

describe('secrets', () => {
  test.each(services)('%s takes every secret from a required variable', (_name, { environment = {} }) => {
    for (const [name, value] of Object.entries(environment)) {
      if (SECRET_NAME.test(name) && !OPTIONAL.has(name)) expect(value).toMatch(/^\$\{[A-Z_]+:\?[^}]+\}$/);
      const password = /:\/\/[^:/@]+:([^@]*)@/.exec(String(value))?.[1];
      if (password) expect(password).toMatch(/^\$\{[A-Z_]+:\?[^}]+\}$/);
    }
  });

  test('are not contained in any deployment file', () => {
    for (const file of [
      'docker-compose.yml',
      'Dockerfile',
      'deploy/env.example',
      'deploy/temporal/dynamic-config.yaml',
    ]) {
      // Long runs of hexadecimal or base64 characters that are neither paths nor words.
      const text = read(file).replaceAll(/@sha256:[0-9a-f]{64}/g, '');
      const suspicious = text.match(
        /\b(?:[0-9a-f]{24,}|(?=[A-Za-z0-9+/]*\d)(?=[A-Za-z0-9+/]*[A-Z])[A-Za-z0-9+/]{32,}={0,2})\b/g,
      );
      expect([file, suspicious]).toEqual([file, null]);
    }
  });

  test('are kept out of git and out of the image', () => {
    expect(read('deploy/.gitignore').split('\n')).toContain('.env');
    const [everything, ...allowed] = read('.dockerignore')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    expect(everything).toBe('*');
    expect(allowed.every((line) => line.startsWith('!'))).toBe(true);
    expect(allowed).not.toContain('!deploy');
  });
});

describe('variables', () => {
  const example = read('deploy/env.example');
  const named = new Set([...example.matchAll(/^(?:#sandbox |# )?([A-Z_]+)=/gm)].map(([, name]) => name));
  /** Variables without a value are passed through from the env file by name. */
  const passedOn = services.flatMap(([, { environment = {} }]) =>
    Object.keys(environment).filter((name) => environment[name] === null),
  );

  test('are the same in docker-compose.yml and deploy/env.example', () => {
    expect([...named].sort()).toEqual(
      [...new Set([...variablesOf(COMPOSE_TEXT).keys(), ...passedOn])].sort(),
    );
  });

  test('that are required are set in deploy/env.example', () => {
    const set = new Set([...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));
    const required = [...variablesOf(COMPOSE_TEXT)]
      .filter(([, { required }]) => required)
      .map(([name]) => name);
    expect(required.filter((name) => !set.has(name))).toEqual([]);
  });

  test('that are required stop Compose if missing', () => {
    const api = compose.services.api;
    expect(() => environmentOf(api ?? {}, {})).toThrow('CHECKOUT_DB_PASSWORD is required');
  });
});

test('the Temporal server gets the path of its mounted configuration', () => {
  const { environment = {}, volumes = [] } = compose.services.temporal ?? {};
  const mounted = volumes.map((volume) => volume.split(':')[1]);
  expect(mounted).toContain(environment.DYNAMIC_CONFIG_FILE_PATH);
  expect(parse(read('deploy/temporal/dynamic-config.yaml'))['limit.maxIDLength']).toEqual([{ value: 255 }]);
});

test('the tools that prepare Temporal’s database have the server’s version', () => {
  const version = (name: string) => compose.services[name]?.image?.split(':')[1]?.split('@')[0];
  expect(version('temporal-schema')).toBe(version('temporal'));
  expect(version('temporal-namespace')).toBe(version('temporal'));
});
