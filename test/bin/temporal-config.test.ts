/** Reads TEMPORAL_ variables and profiles; `temporal-tls.test.ts` connects with the result. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readTemporalConfig } from '../../bin/config/temporal.ts';

const KEY = 'cloud-key-canary';
const PROFILES = `
[profile.default]
address = "default.example:7233"
namespace = "of-default"

[profile.cloud]
address = "eu-west-1.aws.api.temporal.io:7233"
namespace = "shop.a1b2c"
api_key = "${KEY}"

[profile.cloud.grpc_meta]
"X-Team" = "payments"
`;

let dir: string;
let file: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'temporal-config-'));
  file = join(dir, 'profiles.toml');
  await writeFile(file, PROFILES);
});
afterAll(() => rm(dir, { recursive: true }));

async function fileWith(text: string): Promise<string> {
  const path = join(dir, `${Math.random()}.toml`);
  await writeFile(path, text);
  return path;
}

describe('the Temporal settings', () => {
  test('default to a server on the loopback address', () => {
    expect(readTemporalConfig({})).toEqual({ address: '127.0.0.1:7233', namespace: 'default' });
  });

  test('take address and namespace from two variables', () => {
    const env = { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_NAMESPACE: 'shop' };
    expect(readTemporalConfig(env)).toEqual({ address: 'temporal:7233', namespace: 'shop' });
  });

  test('treat empty variables as absent', () => {
    const env = { TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '', TEMPORAL_API_KEY: '', TEMPORAL_TLS: '' };
    expect(readTemporalConfig(env)).toEqual({ address: '127.0.0.1:7233', namespace: 'default' });
  });

  test('use TLS with an API key, unless TEMPORAL_TLS is false', () => {
    const env = { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_API_KEY: KEY };
    expect(readTemporalConfig(env)).toMatchObject({ apiKey: KEY, tls: true });
    expect(readTemporalConfig({ ...env, TEMPORAL_TLS: 'false' })).toMatchObject({ apiKey: KEY, tls: false });
  });

  test('take certificates and the expected server name from variables', () => {
    const { tls } = readTemporalConfig({
      TEMPORAL_TLS_SERVER_CA_CERT_DATA: 'authority',
      TEMPORAL_TLS_CLIENT_CERT_DATA: 'certificate',
      TEMPORAL_TLS_CLIENT_KEY_DATA: 'key',
      TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
    });
    expect(tls).toMatchObject({
      serverNameOverride: 'temporal.internal',
      serverRootCACertificate: Buffer.from('authority'),
      clientCertPair: { crt: Buffer.from('certificate'), key: Buffer.from('key') },
    });
  });

  test('come from a named profile, which variables override', () => {
    const env = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'cloud' };
    const cloud = {
      address: 'eu-west-1.aws.api.temporal.io:7233',
      namespace: 'shop.a1b2c',
      apiKey: KEY,
      tls: true,
      metadata: { 'x-team': 'payments' },
    };
    expect(readTemporalConfig(env)).toEqual(cloud);
    const other = { ...env, TEMPORAL_NAMESPACE: 'other.a1b2c' };
    expect(readTemporalConfig(other)).toEqual({ ...cloud, namespace: 'other.a1b2c' });
  });

  test("come from the user's default file, unless TEMPORAL_CONFIG_FILE is empty", async () => {
    const own = join(dir, 'temporalio', 'temporal.toml');
    await mkdir(dirname(own));
    await writeFile(own, PROFILES);
    const env = { XDG_CONFIG_HOME: dir };
    expect(readTemporalConfig(env).address).toBe('default.example:7233');
    expect(readTemporalConfig({ ...env, TEMPORAL_CONFIG_FILE: '' }).address).toBe('127.0.0.1:7233');
  });
});

describe('invalid Temporal settings report the problem without secrets:', () => {
  const wordsFor = (env: NodeJS.ProcessEnv): string => {
    try {
      readTemporalConfig(env);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('the settings are valid');
  };

  test('a missing file', () => {
    const TEMPORAL_CONFIG_FILE = join(dir, 'none.toml');
    const words = `TEMPORAL_CONFIG_FILE: ${TEMPORAL_CONFIG_FILE} does not exist.`;
    expect(wordsFor({ TEMPORAL_CONFIG_FILE })).toBe(words);
  });

  test('a missing profile', () => {
    const env = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'cluod' };
    expect(wordsFor(env)).toContain("TEMPORAL_PROFILE: Profile 'cluod' not found");
  });

  test('a file that is not TOML, with the line but not its contents', async () => {
    const words = wordsFor({ TEMPORAL_CONFIG_FILE: await fileWith(`[profile.default]\napi_key = ${KEY}\n`) });
    expect(words).toBe('TEMPORAL_CONFIG_FILE: line 2 of the profile file is not TOML.');
    expect(words).not.toContain(KEY);
  });

  test('a file without profiles', async () => {
    const words = 'TEMPORAL_CONFIG_FILE: the file has no table [profile.…].';
    expect(wordsFor({ TEMPORAL_CONFIG_FILE: await fileWith('a = 1\n') })).toBe(words);
  });

  test('a missing certificate file', () => {
    const env = { TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(dir, 'none.crt') };
    expect(wordsFor(env)).toBe(`TEMPORAL_TLS_SERVER_CA_CERT_PATH: ENOENT ${join(dir, 'none.crt')}.`);
  });

  test('a missing certificate file of a profile', async () => {
    const path = join(dir, 'none.crt');
    const profile = `[profile.default.tls]\nserver_ca_cert_path = "${path}"\n`;
    const words = `TEMPORAL_CONFIG_FILE: ENOENT ${path}.`;
    expect(wordsFor({ TEMPORAL_CONFIG_FILE: await fileWith(profile) })).toBe(words);
  });

  test('a certificate given twice', () => {
    const env = {
      TEMPORAL_TLS_CLIENT_CERT_PATH: '/etc/cert',
      TEMPORAL_TLS_CLIENT_CERT_DATA: 'certificate-canary',
      TEMPORAL_TLS_CLIENT_KEY_DATA: 'key',
    };
    expect(wordsFor(env)).toMatch(/^TEMPORAL_TLS_CLIENT_CERT_PATH: Cannot specify both/);
    expect(wordsFor(env)).not.toContain('canary');
  });

  test.each([
    ['certificate', { TEMPORAL_TLS_CLIENT_CERT_DATA: 'certificate' }, 'TEMPORAL_TLS_CLIENT_KEY_DATA'],
    ['key', { TEMPORAL_TLS_CLIENT_KEY_DATA: 'key-canary' }, 'TEMPORAL_TLS_CLIENT_CERT_DATA'],
  ])('a client %s without its counterpart', (_which, env, missing) => {
    expect(wordsFor(env)).toContain(`${missing}: missing; a client certificate and its key`);
    expect(wordsFor(env)).not.toContain('key-canary');
  });
});
