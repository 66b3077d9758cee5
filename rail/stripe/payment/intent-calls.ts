/** The calls that PaymentIntents and SetupIntents share, dispatched by the id's prefix. */
import type Stripe from 'stripe';
import { type Answer, call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { listOurs, pageOf } from '../core/listed.ts';
import { PAGE_SIZE } from '../core/pages.ts';
import { type Intent, intentSchema } from './intent-schema.ts';

const intentPage = pageOf(intentSchema);
const EXPAND = { expand: ['payment_method'] };

export const KINDS = ['payment', 'setup'] as const;
export type IntentKind = (typeof KINDS)[number];

export function retrieveIntent(api: StripeApi, id: string): Promise<Answer<Intent>> {
  return call(api, intentSchema, (stripe) => resourceOf(stripe, kindOf(id)).retrieve(id, EXPAND));
}

export function cancelIntent(api: StripeApi, id: string, idempotencyKey: string): Promise<Answer<Intent>> {
  return call(api, intentSchema, (stripe) =>
    resourceOf(stripe, kindOf(id)).cancel(id, EXPAND, { idempotencyKey }),
  );
}

export interface Listed {
  /** Unix seconds, inclusive. */
  readonly from: number;
  readonly to?: number;
  /** Lists only this customer's intents. */
  readonly customer?: string;
  /** Decides from the metadata alone, because nothing else of a foreign object may be read. */
  isOurs(metadata: Readonly<Record<string, unknown>>): boolean;
}

/**
 * Lists intents by creation time, newest first. Lists are immediately consistent; Stripe's search is not.
 *
 * @param enough stops paging once it returns true
 */
export function listIntents(
  api: StripeApi,
  kind: IntentKind,
  { from, to, customer, isOurs }: Listed,
  enough?: (found: readonly Intent[]) => boolean,
): Promise<Answer<readonly Intent[]>> {
  const query = {
    created: { gte: from, ...(to !== undefined && { lte: to }) },
    ...(customer && { customer }),
    expand: ['data.payment_method'],
  };
  return listOurs(
    api,
    (page) => call(api, intentPage, (stripe) => resourceOf(stripe, kind).list({ ...query, ...page })),
    isOurs,
    enough,
  );
}

/**
 * Finds PaymentIntents with the service's reference, of any age. Stripe's search index lags by up to an hour; until then,
 * the idempotency keys, which last a day, prevent a second charge. SetupIntents cannot be searched.
 */
export function searchPayments(
  api: StripeApi,
  { reference, railAccountId }: { readonly reference: string; readonly railAccountId: string },
): Promise<Answer<readonly Intent[]>> {
  const query = `metadata['reference']:'${reference}' AND metadata['rail_account']:'${railAccountId}'`;
  const page = { query, limit: PAGE_SIZE, expand: ['data.payment_method'] };
  return listOurs(
    api,
    () => call(api, intentPage, (stripe) => stripe.paymentIntents.search(page)),
    () => true,
    // Stop after one page: search pages differ from list pages, and a reference has fewer intents than a page.
    () => true,
  );
}

function kindOf(id: string): IntentKind {
  return id.startsWith('seti_') ? 'setup' : 'payment';
}

/** The methods used of both resources, with a common signature. */
interface IntentResource {
  retrieve(id: string, params: typeof EXPAND): Promise<unknown>;
  cancel(id: string, params: typeof EXPAND, options: Stripe.RequestOptions): Promise<unknown>;
  list(params: Stripe.PaymentIntentListParams & Stripe.SetupIntentListParams): PromiseLike<unknown>;
}

function resourceOf(stripe: Stripe, kind: IntentKind): IntentResource {
  return kind === 'setup' ? stripe.setupIntents : stripe.paymentIntents;
}
