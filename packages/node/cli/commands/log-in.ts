/** `hosted-checkout login`: checks an API key and stores it with the installation's address. */
import { createInterface } from 'node:readline/promises';
import { HostedCheckout } from '../../src/index.ts';
import { type Command, print, textOf, UsageError } from '../command.ts';
import { settingsFile, storeSettings } from '../settings.ts';

export const logIn: Command = {
  summary: 'store the address of an installation and an API key',
  help: `Usage: hosted-checkout login --url <address> [--key <API key>]

Checks the key, and stores it with the address in ~/.config/hosted-checkout/login.json, readable by you only.
Without --key it is read from HOSTED_CHECKOUT_API_KEY or from standard input: arguments are visible to others on
the same machine.`,
  async run(given) {
    const url = textOf(given, 'url') ?? process.env.HOSTED_CHECKOUT_URL;
    if (!url) throw new UsageError('--url is required: the address of the installation.');
    const key = textOf(given, 'key') ?? process.env.HOSTED_CHECKOUT_API_KEY ?? (await ask());
    const { merchant_id } = await new HostedCheckout(key, { baseUrl: url }).showBillingDashboard();
    await storeSettings({ url, key });
    const environment = key.startsWith('ap_live_') ? 'production' : 'sandbox';
    print(
      given,
      { merchant_id, environment, url },
      `Logged in to ${url} as ${merchant_id}, ${environment}. Stored in ${settingsFile()}.`,
    );
  },
};

async function ask(): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const key = await lines.question('API key: ');
  lines.close();
  return key.trim();
}
