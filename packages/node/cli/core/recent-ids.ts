/** The merchant's newest ids, for the shell's completion. */
import { HostedCheckout } from '../../src/index.ts';
import type { IdKind } from './command.ts';
import { settingsOf } from './settings.ts';

const NEWEST = { limit: 10 };
/** Short, because the user is waiting at the prompt. */
const REQUEST_MS = 1_500;

type List = { readonly data: readonly { readonly id: string }[] };
const LISTS: Readonly<Record<IdKind, (checkout: HostedCheckout, merchantId: string) => Promise<List>>> = {
  ap_chk_: (checkout, merchantId) => checkout.merchants.search.checkouts(merchantId, NEWEST),
  ap_cus_: (checkout, merchantId) => checkout.merchants.search.customers(merchantId, NEWEST),
  ap_inv_: (checkout, merchantId) => checkout.merchants.search.invoices(merchantId, NEWEST),
  ap_pay_: (checkout, merchantId) => checkout.merchants.search.payments(merchantId, NEWEST),
  ap_prod_: (checkout, merchantId) => checkout.merchants.search.products(merchantId, NEWEST),
  ap_sub_: (checkout, merchantId) => checkout.merchants.search.subscriptions(merchantId, NEWEST),
  ap_whe_: (checkout, merchantId) => checkout.merchants.webhookEndpoints.list(merchantId),
  evt_: (checkout, merchantId) => checkout.merchants.webhookEvents.list(merchantId, NEWEST),
};
export const ID_KINDS = Object.keys(LISTS) as readonly IdKind[];

/** @returns the ids that begin with the typed text; none without a log-in, or if the API does not respond in time */
export async function recentIds(kinds: readonly IdKind[], typed: string): Promise<readonly string[]> {
  const wanted = kinds.filter((kind) => kind.startsWith(typed) || typed.startsWith(kind));
  if (wanted.length === 0) return [];
  try {
    const { url, key } = await settingsOf({ values: {}, positionals: [] });
    const checkout = new HostedCheckout(key, { baseUrl: url, timeoutMs: REQUEST_MS, maxAttempts: 1 });
    const { merchant_id } = await checkout.billing.showDashboard();
    const lists = await Promise.allSettled(wanted.map((kind) => LISTS[kind](checkout, merchant_id)));
    const ids = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value.data : []));
    return ids.map(({ id }) => id).filter((id) => id.startsWith(typed));
  } catch {
    return [];
  }
}
