/** Settings stored by `hosted-checkout login`, and where they are used. */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { settingsFile, settingsOf, storeSettings } from '../../../packages/node/cli/core/settings.ts';

const NAMES = ['XDG_CONFIG_HOME', 'HOSTED_CHECKOUT_URL', 'HOSTED_CHECKOUT_API_KEY'] as const;
const before = NAMES.map((name) => [name, process.env[name]] as const);
const of = (values: { url?: string }) => settingsOf({ values, positionals: [] });
const stored = { url: 'https://pay.example/', key: 'ap_live_1' };
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'config-'));
});
afterAll(async () => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await rm(home, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const name of NAMES) delete process.env[name];
  process.env.XDG_CONFIG_HOME = home;
  await storeSettings(stored);
});

test('the stored key goes to the stored address, with or without a slash at its end', async () => {
  expect(await of({})).toEqual(stored);
  expect(await of({ url: 'https://pay.example' })).toMatchObject({ key: stored.key });
});

test('the stored key goes to no other address, whether given or from the environment', async () => {
  await expect(of({ url: 'https://pay.example.org' })).rejects.toThrow('no API key for');
  process.env.HOSTED_CHECKOUT_URL = 'http://127.0.0.1:8080';
  await expect(of({})).rejects.toThrow('login --url http://127.0.0.1:8080');
  process.env.HOSTED_CHECKOUT_API_KEY = 'ap_test_1';
  expect(await of({})).toEqual({ url: 'http://127.0.0.1:8080', key: 'ap_test_1' });
});

test('a file that others could read is made private', async () => {
  await mkdir(dirname(settingsFile()), { recursive: true });
  await rm(settingsFile());
  await writeFile(settingsFile(), '{}', { mode: 0o644 });
  await storeSettings(stored);
  expect((await stat(settingsFile())).mode & 0o777).toBe(0o600);
});
