/**
 * `hosted-checkout login`: stores the installation's address and an API key, given or created by a person in the
 * browser.
 */
import { hostname } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { HostedCheckout } from '../../src/index.ts';
import { type Command, type Given, print, textOf, UsageError } from '../core/command.ts';
import { personAt } from '../core/person.ts';
import { settingsFile, storeSettings } from '../core/settings.ts';

export const logIn: Command = {
  summary: 'store the address of an installation and an API key',
  help: `Usage: hosted-checkout login --url <address> [--browser | --key <API key>]

Checks the key, and stores it with the address in ~/.config/hosted-checkout/login.json, readable by you only.
Without --key it is read from HOSTED_CHECKOUT_API_KEY or from standard input: arguments are visible to others on
the same machine.

  --browser          log in at the installation's identity provider, and create a key of the sandbox: for owners and
                     developers. Your access token is not stored; revoke the key like any other.
  --merchant <id>    with --browser, if you have several
  --client <id>      with --browser: the provider's public client for this program (default: cli)`,
  options: {
    browser: { type: 'boolean' },
    merchant: { type: 'string' },
    client: { type: 'string' },
  },
  async run(given) {
    const url = textOf(given, 'url') ?? process.env.HOSTED_CHECKOUT_URL;
    if (!url) throw new UsageError('--url is required: the address of the installation.');
    const key = given.values.browser
      ? await newKey(url, given)
      : (textOf(given, 'key') ?? process.env.HOSTED_CHECKOUT_API_KEY ?? (await ask()));
    const { merchant_id } = await new HostedCheckout(key, { baseUrl: url }).billing.showDashboard();
    await storeSettings({ url, key });
    const environment = key.startsWith('ap_live_') ? 'production' : 'sandbox';
    print(
      given,
      { merchant_id, environment, url },
      `Logged in to ${url} as ${merchant_id}, ${environment}. Stored in ${settingsFile()}.`,
    );
  },
};

async function newKey(url: string, given: Given): Promise<string> {
  const person = await personAt(url, given);
  const merchantId = textOf(given, 'merchant') ?? (await onlyMerchant(person));
  const { key } = await person.merchants.apiKeys.create(merchantId, {
    environment: 'sandbox',
    name: `Command line, ${hostname()}`.slice(0, 100),
  });
  return key;
}

/** @throws UsageError that lists the merchants if there are several */
async function onlyMerchant(person: HostedCheckout): Promise<string> {
  const { data } = await person.merchants.list({ limit: 100 });
  const [first] = data;
  if (first && data.length === 1) return first.id;
  const list = data.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  throw new UsageError(
    first ? `Name one with --merchant:\n${list}` : 'You are not assigned to any merchant here.',
  );
}

/** @throws UsageError if standard input ends first */
async function ask(): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.setPrompt('API key: ');
  lines.prompt();
  for await (const line of lines) {
    lines.close();
    return line.trim();
  }
  throw new UsageError(
    '\nThere is no API key on standard input. Pass one in HOSTED_CHECKOUT_API_KEY, or log in with --browser.',
  );
}
