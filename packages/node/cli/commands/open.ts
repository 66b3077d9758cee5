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
const WORKFLOWS = ['ap_chk_', 'ap_pmc_', 'ap_sub_', 'ap_ref_', 'ap_whe_'];
/** A purchase's are its checkout's, those of later periods the subscription's. */
const MADE_BY_ONE = ['ap_pay_', 'ap_inv_', 'ap_ord_'];

export const open: Command = {
  summary: 'open the page of an id in the dashboard, its workflow, or the API reference',
  help: `Usage: hosted-checkout open [id | dashboard] [--reference | --temporal]

Opens the page of an id in the merchants' dashboard: a checkout, payment, refund or order (their payment), customer,
subscription, invoice, product, webhook endpoint or event. Without an id, the API reference. --json prints the address only.

  --reference    the API reference, at the operation that reads the object
  --temporal     Temporal UI, at the workflow of a checkout, subscription, refund or webhook endpoint, or at the one that
                 made a payment, an invoice or an order; at TEMPORAL_UI_URL (default: http://localhost:8233) and
                 TEMPORAL_NAMESPACE (default: default)`,
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
  if (given.values.temporal) return workflowOf(given, what);
  const settings = await settingsOf(given);
  const url = settings.url.replace(/\/+$/, '');
  if (what === '') return `${url}/docs`;
  if (what === 'dashboard') return `${url}/dashboard`;
  if (!given.values.reference) {
    const shown = await shownOn(given, what);
    const page = valueFor(PAGES, shown);
    if (page) {
      const { merchant_id } = await (await clientOf(given)).showBillingDashboard();
      const segment = settings.key.startsWith('ap_live_') ? 'live' : 'sandbox';
      return `${url}/dashboard/${merchant_id}/${segment}/${page}/${encodeURIComponent(shown)}`;
    }
  }
  const reference = valueFor(REFERENCES, what);
  if (!reference) throw new UsageError(`${what} is not an id of this API.\n\n${open.help}`);
  return `${url}/docs#/${encodeURI(reference)}`;
}

/** The id whose page shows this one: refunds and orders have none of their own. */
async function shownOn(given: Given, id: string): Promise<string> {
  if (!id.startsWith('ap_ref_') && !id.startsWith('ap_ord_')) return id;
  return (await newestPaymentOf(given, id))?.id ?? id;
}

async function newestPaymentOf(given: Given, id: string) {
  const checkout = await clientOf(given);
  const { merchant_id } = await checkout.showBillingDashboard();
  const [found] = (await checkout.searchPayments(merchant_id, { q: id, limit: 1 })).data;
  return found && checkout.showPayment(merchant_id, found.id);
}

async function workflowOf(given: Given, id: string): Promise<string> {
  const workflowId = await workflowIdOf(given, id);
  const { TEMPORAL_UI_URL: url = 'http://localhost:8233', TEMPORAL_NAMESPACE: namespace = 'default' } =
    process.env;
  return `${url.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}

async function workflowIdOf(given: Given, id: string): Promise<string> {
  if (WORKFLOWS.some((prefix) => id.startsWith(prefix))) return id;
  const payment = MADE_BY_ONE.some((prefix) => id.startsWith(prefix)) && (await newestPaymentOf(given, id));
  const made = payment && (payment.checkout_id ?? payment.subscription_id);
  if (!made) throw new UsageError(`${id || 'Nothing'} has no workflow.\n\n${open.help}`);
  return made;
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
