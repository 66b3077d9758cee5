/** The Stripe endpoints that the adapter uses. */
import { endSubscription, updateSubscription } from './billing.ts';
import {
  customerObject,
  invoicePaymentObject,
  pendingItemObject,
  priceObject,
  productObject,
  subscriptionObject,
} from './billing-objects.ts';
import { CARDS, NUMBERS } from './cards.ts';
import { badRequest, DoubleRefusal } from './error.ts';
import { type FormValues, list, record, text } from './form.ts';
import { cancelIntent, confirmIntent, createIntent } from './intents.ts';
import {
  clientSecretOf,
  disputeObject,
  intentObject,
  listObject,
  methodObject,
  refundObject,
} from './objects.ts';
import { createRefund } from './refunds.ts';
import { configurationObject, domainObject, endpointObject } from './settings.ts';
import { type DoubleAccount, type Intent, newId, unixNow } from './state.ts';

export interface DoubleCall {
  readonly account: DoubleAccount;
  /** True for the publishable key, which opens an intent only together with the intent's client secret. */
  readonly isPublic: boolean;
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly form: FormValues;
}

const KINDS: Readonly<Record<string, Intent['kind']>> = {
  payment_intents: 'payment',
  setup_intents: 'setup',
};
const PAGE_SIZE = 10;

/** @throws DoubleRefusal */
export function answerOf(call: DoubleCall): object {
  const [, , collection = '', id, action] = call.path.split('/');
  const { forbidden, unreadable } = call.account.settings;
  if ((call.method === 'POST' ? forbidden : unreadable).includes(collection)) {
    // Like Stripe for a restricted key: only the message names the missing permission.
    throw new DoubleRefusal(403, { type: 'invalid_request_error' });
  }
  const kind = KINDS[collection];
  if (kind) return answerAboutIntents(call, kind, id, action);
  const { account, method, form, path } = call;
  switch (`${method} ${collection}`) {
    case 'POST refunds':
      return refundObject(createRefund(account, form));
    case 'GET refunds': {
      const { gte = '0' } = record(form, 'created');
      const refunds = account.refunds.filter(
        ({ intent, created }) =>
          intent === (text(form, 'payment_intent') ?? intent) && created >= Number(gte),
      );
      return paged(path, form, [...refunds].reverse().map(refundObject));
    }
    case 'GET disputes': {
      const { gte = '0' } = record(form, 'created');
      const disputes = account.disputes.filter(
        ({ intent, created }) =>
          intent === (text(form, 'payment_intent') ?? intent) && created >= Number(gte),
      );
      return paged(path, form, disputes.map(disputeObject));
    }
    case 'POST payment_methods':
      return methodObject(createMethod(account, form));
    case 'GET payment_methods': {
      const found = account.methods.get(id ?? '');
      if (!found) throw badRequest('resource_missing', 'payment_method', 404);
      return methodObject(found);
    }
    case 'GET account':
      return { id: account.id, object: 'account', charges_enabled: account.enabled, country: 'DE' };
    case 'GET payment_method_configurations':
      return listObject(path, [configurationObject(account)], false);
    case 'GET payment_method_domains':
      return listObject(path, account.settings.domains.map(domainObject), false);
    case 'GET webhook_endpoints':
      return listObject(path, account.settings.webhookUrls.map(endpointObject), false);
    default:
      return answerAboutBilling(call, id, action);
  }
}

/** Customers, and the parts of Stripe Billing that an import reads and ends. */
function answerAboutBilling({ account, method, path, form }: DoubleCall, id = '', action?: string): object {
  const collection = path.split('/')[2];
  switch (`${method} ${collection}`) {
    case 'POST customers': {
      const customer = { id: newId('cus'), metadata: record(form, 'metadata') };
      account.customers.set(customer.id, customer);
      return { ...customer, object: 'customer', created: unixNow(), livemode: false };
    }
    case 'GET customers': {
      if (action === 'payment_methods') return methodsOfCustomer(account, path, form, id);
      const customers = [...account.customers.values()];
      return paged(
        path,
        form,
        customers.map((each) => customerObject(account, each)),
      );
    }
    case 'GET prices':
      return paged(
        path,
        form,
        [...account.prices.values()]
          .filter(
            ({ active, isInline }) => isInline !== true && `${active}` === (text(form, 'active') ?? 'true'),
          )
          .map((each) => ({ ...priceObject(each), product: `prod_${each.id}` })),
      );
    case 'GET products': {
      const priced = [...account.prices.values()].map(priceObject).map(({ product }) => product);
      const others = account.products.map((each) => productObject({ ...each, active: true }));
      return paged(path, form, [...priced, ...others]);
    }
    case 'GET invoiceitems': {
      const items = account.pendingItems.filter(
        ({ customer }) => customer === (text(form, 'customer') ?? customer),
      );
      return paged(path, form, items.map(pendingItemObject));
    }
    case 'GET invoice_payments': {
      const of = account.subscriptions.get((text(form, 'invoice') ?? '').replace('in_', ''));
      return listObject(path, of ? [invoicePaymentObject(of)] : [], false);
    }
    case 'GET subscriptions': {
      const named = id && account.subscriptions.get(id);
      if (named) return subscriptionObject(account, named);
      const subscriptions = [...account.subscriptions.values()];
      return paged(
        path,
        form,
        subscriptions.map((each) => subscriptionObject(account, each)),
      );
    }
    case 'POST subscriptions':
      return subscriptionObject(account, updateSubscription(account, id, form));
    case 'DELETE subscriptions':
      return subscriptionObject(account, endSubscription(account, id, form));
    case 'DELETE customers':
      account.customers.delete(id);
      return { id, object: 'customer', deleted: true };
    default:
      throw badRequest('resource_missing', undefined, 404);
  }
}

function answerAboutIntents(call: DoubleCall, kind: Intent['kind'], id?: string, action?: string): object {
  const { account, isPublic, url, method, form, path } = call;
  const shown = (intent: Intent) => intentObject(account, url, intent, list(form, 'expand'));
  if (!id && method === 'POST') return shown(createIntent(account, kind, form));
  if (!id) {
    const { gte = '0', lte = '99999999999' } = record(form, 'created');
    const customer = text(form, 'customer');
    if (customer && !account.customers.has(customer)) throw badRequest('resource_missing', 'customer');
    const found = [...account.intents.values()].filter(
      (intent) =>
        intent.kind === kind &&
        intent.created >= Number(gte) &&
        intent.created <= Number(lte) &&
        (!customer || intent.customer === customer),
    );
    return paged(path, form, found.reverse().map(shown));
  }
  if (id === 'search' && kind === 'payment') return searched(account, text(form, 'query') ?? '', shown);
  const intent = account.intents.get(id);
  if (!intent || intent.kind !== kind) throw badRequest('resource_missing', 'intent', 404);
  if (isPublic && text(form, 'client_secret') !== clientSecretOf(intent)) {
    throw badRequest('resource_missing', 'intent', 404);
  }
  if (method === 'GET') return shown(intent);
  if (action === 'confirm') return shown(confirmIntent(account, intent, form));
  if (action === 'cancel') return shown(cancelIntent(account, intent));
  throw badRequest('resource_missing', undefined, 404);
}

function methodsOfCustomer(account: DoubleAccount, path: string, form: FormValues, customer: string): object {
  if (!account.customers.has(customer)) throw badRequest('resource_missing', 'customer', 404);
  const methods = [...account.methods.values()].filter((method) => method.customer === customer);
  return paged(path, form, methods.map(methodObject));
}

/** Searches by metadata only: `metadata['reference']:'…' AND metadata['rail_account']:'…'`. */
function searched(account: DoubleAccount, query: string, shown: (intent: Intent) => object): object {
  const terms = query.split(' AND ').map((term) => /^metadata\['(\w+)'\]:'(\w+)'$/.exec(term));
  const data = [...account.intents.values()].filter(
    ({ kind, metadata }) =>
      kind === 'payment' && terms.every((term) => term && metadata[term[1] ?? ''] === term[2]),
  );
  const url = '/v1/payment_intents/search';
  return { object: 'search_result', url, data: data.reverse().map(shown), has_more: false, next_page: null };
}

/** Small pages, so that missing pagination in the adapter fails a test. */
function paged(path: string, form: FormValues, all: readonly { readonly id: string }[]): object {
  const after = all.findIndex(({ id }) => id === text(form, 'starting_after'));
  const page = all.slice(after + 1, after + 1 + PAGE_SIZE);
  return listObject(path, page, after + 1 + PAGE_SIZE < all.length);
}

/** Creates a payment method, for the stand-in of Stripe's browser script. */
function createMethod(account: DoubleAccount, form: FormValues) {
  const name = NUMBERS[text(form, 'number') ?? ''];
  if (!name) throw badRequest('incorrect_number', 'number', 402);
  const wallet = text(form, 'wallet');
  const method = {
    id: newId('pm'),
    card: CARDS[name],
    wallet: wallet === 'apple_pay' || wallet === 'google_pay' ? wallet : null,
    customer: null,
    used: false,
  } as const;
  account.methods.set(method.id, { ...method });
  return method;
}
