/** `hosted-checkout open`: opens the API reference, or the operation that reads an object. */
import { spawn } from 'node:child_process';
import { type Command, print, UsageError } from '../core/command.ts';
import { settingsOf } from '../core/settings.ts';

/** The part of the reference for an id, by its prefix: tag and operation. */
const REFERENCES: Readonly<Record<string, string>> = {
  ap_chk_: 'Checkouts/showCheckout',
  ap_prod_: 'Billing/listProducts',
  ap_ord_: 'Billing/listOrders',
  ap_pay_: 'Billing/listPayments',
  ap_inv_: 'Billing/listInvoices',
  ap_sub_: 'Billing/listSubscriptions',
  ap_ref_: 'Refunds/showRefund',
  ap_whe_: 'Webhook endpoints/showWebhookEndpoint',
  evt_: 'Webhook log/showWebhookEvent',
};

export const open: Command = {
  summary: 'open the API reference, at the place for an id',
  help: `Usage: hosted-checkout open [id | dashboard]

Opens the API reference in a browser; with an id, at the operation that reads it; with \`dashboard\`, the
merchants' dashboard. --json prints the address only.`,
  async run(given) {
    const { url } = await settingsOf(given);
    const [what = ''] = given.positionals;
    const address = `${url.replace(/\/+$/, '')}${pathOf(what)}`;
    print(given, { url: address }, address);
    if (!given.values.json && process.stdout.isTTY) openInBrowser(address);
  },
};

function pathOf(what: string): string {
  if (what === '') return '/docs';
  if (what === 'dashboard') return '/dashboard';
  const prefix = Object.keys(REFERENCES).find((each) => what.startsWith(each));
  if (!prefix) throw new UsageError(`${what} is not an id of this API.\n\n${open.help}`);
  return `/docs#/${encodeURI(REFERENCES[prefix] ?? '')}`;
}

export function openInBrowser(address: string): void {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
