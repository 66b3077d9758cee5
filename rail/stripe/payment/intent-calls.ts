/** The calls that both kinds of intent share, dispatched by the id's prefix. */
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
  /** Only this customer's intents. */
  readonly customer?: string;
  /** Matches by its metadata, the only part that may be read. */
  isOurs(metadata: Readonly<Record<string, unknown>>): boolean;
}

/**
 * Intents by creation time, newest first. Lists are consistent at once; Stripe's search is not.
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
 * PaymentIntents with our reference, of any age. Stripe's search index lags by up to an hour; idempotency keys, which
 * live for a day, cover that time. SetupIntents have no search.
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
    // Search pages differ from list pages, and one page exceeds the intents of a reference.
    () => true,
  );
}

function kindOf(id: string): IntentKind {
  return id.startsWith('seti_') ? 'setup' : 'payment';
}

/** The fields of both resources that are used here, with one shape. */
interface IntentResource {
  retrieve(id: string, params: typeof EXPAND): Promise<unknown>;
  cancel(id: string, params: typeof EXPAND, options: Stripe.RequestOptions): Promise<unknown>;
  list(params: Stripe.PaymentIntentListParams & Stripe.SetupIntentListParams): PromiseLike<unknown>;
}

function resourceOf(stripe: Stripe, kind: IntentKind): IntentResource {
  return kind === 'setup' ? stripe.setupIntents : stripe.paymentIntents;
}
