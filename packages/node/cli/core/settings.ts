/** The address and key that `login` stores, in a file that only its owner can read. */
import { mkdir, open, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { HostedCheckout } from '../../src/index.ts';
import { FailedError, type Given, textOf, UsageError } from './command.ts';

export interface Settings {
  readonly url: string;
  readonly key: string;
}

export function settingsFile(): string {
  const folder = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  return join(folder, 'hosted-checkout', 'login.json');
}

export async function storeSettings(settings: Settings): Promise<void> {
  const file = settingsFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const opened = await open(file, 'w', 0o600);
  try {
    // An existing file keeps its mode, so restrict it while it is still empty.
    await opened.chmod(0o600);
    await opened.writeFile(`${JSON.stringify(settings, null, 2)}\n`);
  } finally {
    await opened.close();
  }
}

/** Returns the stored key for the stored address only, because another address may belong to anyone. */
function keyFor(url: string | undefined, stored: Settings | null): string | undefined {
  const bare = (address: string | undefined) => address?.replace(/\/+$/, '');
  return stored && bare(url) === bare(stored.url) ? stored.key : undefined;
}

/** @throws UsageError that explains how to provide them */
export async function settingsOf(given: Given): Promise<Settings> {
  const stored = await readStored();
  const url = textOf(given, 'url') ?? process.env.HOSTED_CHECKOUT_URL ?? stored?.url;
  const key = textOf(given, 'key') ?? process.env.HOSTED_CHECKOUT_API_KEY ?? keyFor(url, stored);
  if (!url || !key) {
    throw new UsageError(
      url
        ? `There is no API key for ${url}. Run: hosted-checkout login --url ${url}`
        : 'The address of the installation is missing. Run: hosted-checkout login --url <address>',
    );
  }
  return { url, key };
}

export async function clientOf(given: Given): Promise<HostedCheckout> {
  const { url, key } = await settingsOf(given);
  return new HostedCheckout(key, { baseUrl: url });
}

/**
 * Returns a client that can buy, never with real money.
 *
 * @throws UsageError for a live key
 */
export async function sandboxClientOf(given: Given): Promise<HostedCheckout> {
  const { url, key } = await settingsOf(given);
  if (key.startsWith('ap_live_')) {
    throw new UsageError(
      'This is a live key: test purchases need a sandbox key, which begins with ap_test_.',
    );
  }
  return new HostedCheckout(key, { baseUrl: url });
}

async function readStored(): Promise<Settings | null> {
  try {
    return JSON.parse(await readFile(settingsFile(), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new FailedError(`${settingsFile()} is not readable: log in again.`);
  }
}
