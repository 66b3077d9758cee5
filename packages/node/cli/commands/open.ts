/** `hosted-checkout open`: opens an object's page in the dashboard, its workflow, or the API reference. */
import { spawn } from 'node:child_process';
import { type Command, type Given, print, UsageError } from '../core/command.ts';
import { clientOf, settingsOf } from '../core/settings.ts';

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

/** Pages below `/dashboard/<merchant>/<sandbox or live>`. */
const PAGES: Readonly<Record<string, string>> = {
  ap_chk_: 'checkouts',
  ap_prod_: 'products',
  ap_pay_: 'payments',
  ap_cus_: 'customers',
  ap_inv_: 'invoices',
  ap_sub_: 'subscriptions',
  ap_whe_: 'webhooks/endpoints',
  evt_: 'webhooks/events',
};

/** Their id is that of their workflow. */
const WORKFLOWS = ['ap_chk_', 'ap_sub_', 'ap_ref_', 'ap_whe_'];

export const open: Command = {
  summary: 'open the page of an id in the dashboard, its workflow, or the API reference',
  help: `Usage: hosted-checkout open [id | dashboard] [--reference | --temporal]

Opens the page of an id in the merchants' dashboard: a checkout, payment, customer, subscription, invoice, product,
webhook endpoint or event. Without an id, the API reference. --json prints the address only.

  --reference    the API reference, at the operation that reads the object
  --temporal     Temporal UI, at the workflow of a checkout, subscription, refund or webhook endpoint; at
                 TEMPORAL_UI_URL (default: http://localhost:8233) and TEMPORAL_NAMESPACE (default: default)`,
  options: { reference: { type: 'boolean' }, temporal: { type: 'boolean' } },
  words: ['dashboard'],
  async run(given) {
    const address = await addressOf(given);
    print(given, { url: address }, address);
    if (!given.values.json && process.stdout.isTTY) openInBrowser(address);
  },
};

async function addressOf(given: Given): Promise<string> {
  const [what = ''] = given.positionals;
  if (given.values.temporal) return workflowOf(what);
  const settings = await settingsOf(given);
  const url = settings.url.replace(/\/+$/, '');
  if (what === '') return `${url}/docs`;
  if (what === 'dashboard') return `${url}/dashboard`;
  const page = given.values.reference ? undefined : valueFor(PAGES, what);
  if (page) {
    const { merchant_id } = await (await clientOf(given)).showBillingDashboard();
    const segment = settings.key.startsWith('ap_live_') ? 'live' : 'sandbox';
    return `${url}/dashboard/${merchant_id}/${segment}/${page}/${encodeURIComponent(what)}`;
  }
  const reference = valueFor(REFERENCES, what);
  if (!reference) throw new UsageError(`${what} is not an id of this API.\n\n${open.help}`);
  return `${url}/docs#/${encodeURI(reference)}`;
}

function workflowOf(id: string): string {
  if (!WORKFLOWS.some((prefix) => id.startsWith(prefix))) {
    throw new UsageError(`${id || 'Nothing'} has no workflow with its id.\n\n${open.help}`);
  }
  const { TEMPORAL_UI_URL: url = 'http://localhost:8233', TEMPORAL_NAMESPACE: namespace = 'default' } =
    process.env;
  return `${url.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(id)}`;
}

function valueFor(table: Readonly<Record<string, string>>, id: string): string | undefined {
  return Object.entries(table).find(([prefix]) => id.startsWith(prefix))?.[1];
}

export function openInBrowser(address: string): void {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
