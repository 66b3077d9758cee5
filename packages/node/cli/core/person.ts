/** Acts as a person instead of with an API key, for operations that only people may use. */
import { HostedCheckout } from '../../src/index.ts';
import { logInInBrowser } from './browser-log-in.ts';
import { type Given, textOf } from './command.ts';
import { openInBrowser } from './open-in-browser.ts';

/** Logs in through the browser, with the public client of `--client`. The access token is not stored. */
export async function personAt(url: string, given: Given): Promise<HostedCheckout> {
  const token = await logInInBrowser(url, textOf(given, 'client') ?? 'cli', (address) => {
    console.error(`Log in here: ${address}`);
    if (process.stdout.isTTY) openInBrowser(address);
  });
  return new HostedCheckout(token, { baseUrl: url });
}
