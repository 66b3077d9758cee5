/** `hosted-checkout open`: opens an object's page in the dashboard, its workflow, or the API reference. */
import type { HostedCheckout } from '../../src/index.ts';
import { type Command, type Given, print, UsageError } from '../core/command.ts';
import { openInBrowser } from '../core/open-in-browser.ts';
import { ID_KINDS } from '../core/recent-ids.ts';
import { clientOf, settingsOf } from '../core/settings.ts';

/** Sections of the reference (tag and operation), by the prefix of an id. */
const REFERENCES: Readonly<Record<string, string>> = {
  ap_chk_: 'Checkouts/showCheckout',
  ap_prod_: 'Billing/listProducts',
  ap_price_: 'Catalogue/listPrices',
  ap_off_: 'Catalogue/showOffering',
  ap_ord_: 'Billing/listOrders',
  ap_pay_: 'Billing/listPayments',
  ap_cus_: 'Dashboard/searchCustomers',
  ap_inv_: 'Billing/listInvoices',
  ap_sub_: 'Billing/listSubscriptions',
  ap_pmc_: 'Subscriptions/changePaymentMethod',
  ap_ref_: 'Refunds/showRefund',
  ap_cn_: 'Billing/listCreditNotes',
  ap_cpn_: 'Catalogue/listCoupons',
  ap_pm_: 'Catalogue/showPriceMove',
  ap_lnk_: 'Subscriptions/createPaymentLink',
  ap_chg_: 'Subscriptions/cancelSubscriptionChange',
  ap_dis_: 'Mirrors/listMerchantDisputes',
  ap_mer_: 'Merchants/showMerchant',
  ap_key_: 'API keys/listApiKeys',
  ap_pcl_: 'Storefront clients/showStorefrontClient',
  ap_rac_: 'Rail accounts/listRailAccounts',
  ap_whe_: 'Webhook endpoints/showWebhookEndpoint',
  evt_: 'Webhook log/showWebhookEvent',
};

/** Pages that show one object, below `/dashboard/<merchant>/<sandbox or live>`. */
const PAGES: Readonly<Record<string, string>> = {
  ap_chk_: 'checkouts',
  ap_prod_: 'products',
  ap_off_: 'offerings',
  ap_pay_: 'payments',
  ap_cus_: 'customers',
  ap_inv_: 'invoices',
  ap_cn_: 'invoices/credit-notes',
  ap_sub_: 'subscriptions',
  ap_whe_: 'webhooks/endpoints',
  evt_: 'webhooks/events',
};
/** Pages that list all objects of a kind. */
const LISTS: Readonly<Record<string, string>> = {
  ap_mer_: '',
  ap_cpn_: 'coupons',
  ap_key_: 'api-keys',
  ap_pcl_: 'storefront-clients',
  ap_rac_: 'rail-accounts',
};

/** Objects whose id is also the id of their workflow. */
const WORKFLOWS = ['ap_chk_', 'ap_pmc_', 'ap_lnk_', 'ap_sub_', 'ap_ref_', 'ap_whe_'];
/** Objects created by the workflow of a checkout or, in later periods, of a subscription. */
const MADE_BY_ONE = ['ap_pay_', 'ap_inv_', 'ap_ord_'];

export const open: Command = {
  summary: 'open the page of an id in the dashboard, its workflow, or the API reference',
  help: `Usage: hosted-checkout open [id | dashboard] [--reference | --temporal]

Opens the page of an id in the merchants' dashboard: a checkout, payment, refund, order or dispute (their payment),
customer, subscription, invoice, credit note, product, price (its product), offering, webhook endpoint or event; or the
list with a coupon, key, storefront client or rail account. Without an id, the API reference. --json prints the address only.

  --reference    the API reference, at the operation that reads the object
  --temporal     Temporal UI, at the workflow of a checkout, payment link, subscription, refund or webhook endpoint, or at
                 the one that made a payment, an invoice or an order; at TEMPORAL_UI_URL (default: http://localhost:8233) and
                 TEMPORAL_NAMESPACE (default: default)`,
  options: { reference: { type: 'boolean' }, temporal: { type: 'boolean' } },
  words: ['dashboard'],
  ids: { '': ID_KINDS },
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
  const reference = valueFor(REFERENCES, what);
  if (reference === undefined) throw new UsageError(`${noPlace(what)}\n\n${open.help}`);
  const page = given.values.reference ? undefined : await pageOf(given, what);
  if (page === undefined) return `${url}/docs#/${encodeURI(reference)}`;
  const merchant = what.startsWith('ap_mer_') ? what : await merchantOf(await clientOf(given));
  const segment = settings.key.startsWith('ap_live_') ? 'live' : 'sandbox';
  return `${url}/dashboard/${encodeURIComponent(merchant)}/${segment}${page}`;
}

async function merchantOf(checkout: HostedCheckout): Promise<string> {
  return (await checkout.billing.showDashboard()).merchant_id;
}

function noPlace(what: string): string {
  if (/^ap_(test|live)_/.test(what)) return 'This is an API key, not an id: it has no page.';
  return /^ap_[a-z]+_/.test(what)
    ? `${what} has neither a page in the dashboard nor an operation that reads it.`
    : `${what} is not an id of this API: those begin with ap_ or evt_.`;
}

/** @returns undefined if only the reference has a page for the object */
async function pageOf(given: Given, id: string): Promise<string | undefined> {
  const list = valueFor(LISTS, id);
  if (list !== undefined) return list && `/${list}`;
  const shown = await shownOn(given, id);
  const page = valueFor(PAGES, shown);
  return page && `/${page}/${encodeURIComponent(shown)}`;
}

/** Returns the id of the object whose page shows this one, for the kinds without a page. */
async function shownOn(given: Given, id: string): Promise<string> {
  if (id.startsWith('ap_ref_') || id.startsWith('ap_ord_'))
    return (await newestPaymentOf(given, id))?.id ?? id;
  if (id.startsWith('ap_dis_')) return (await paymentOfDispute(given, id)) ?? id;
  if (id.startsWith('ap_price_')) return (await productOfPrice(given, id)) ?? id;
  return id;
}

async function paymentOfDispute(given: Given, id: string): Promise<string | undefined> {
  const checkout = await clientOf(given);
  const { data } = await checkout.merchants.disputes.list(await merchantOf(checkout));
  return data.find((dispute) => dispute.id === id)?.payment_id;
}

/** Finds the product of an active price; for other prices, no single request does. */
async function productOfPrice(given: Given, id: string): Promise<string | undefined> {
  const { data } = await (await clientOf(given)).products.list();
  return data.find(({ active_price }) => active_price?.id === id)?.id;
}

async function newestPaymentOf(given: Given, id: string) {
  const checkout = await clientOf(given);
  const merchantId = await merchantOf(checkout);
  const [found] = (await checkout.merchants.search.payments(merchantId, { q: id, limit: 1 })).data;
  return found && checkout.merchants.payments.show(merchantId, found.id);
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
