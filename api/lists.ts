/**
 * The full lists of billing objects, newest first: `GET /v1/<name>` for a merchant's server, and its read-only mirror
 * `GET /v1/merchants/:merchantId/<name>`, where people see both environments unless they filter by one.
 */
import type { z } from 'zod';
import { exampleProduct, product } from '../contract/catalogue/resources.ts';
import { listOf } from '../contract/core/answers.ts';
import type { OperationDescription } from '../contract/core/operation.ts';
import { bothEnvironments } from '../contract/core/pagination.ts';
import { dispute, exampleDispute } from '../contract/dispute/dispute.ts';
import { creditNote, exampleCreditNote } from '../contract/invoice/credit-note.ts';
import { exampleInvoice, invoice } from '../contract/invoice/resources.ts';
import { exampleOrder, examplePayment, order, payment } from '../contract/payment/resources.ts';
import { exampleRefund, refund } from '../contract/refund/refund.ts';
import { exampleSubscription, subscription } from '../contract/subscription/resources.ts';
import { listProducts } from '../db/catalogue/list-products.ts';
import { type ListBatch, listInEnvironments } from '../db/core/lists/list-batch.ts';
import { listDisputes } from '../db/dispute/list-disputes.ts';
import { listCreditNotes } from '../db/invoice/list-credit-notes.ts';
import { listInvoices } from '../db/invoice/list-invoices.ts';
import { listOrders } from '../db/payment/list-orders.ts';
import { listPayments } from '../db/payment/list-payments.ts';
import { listRefunds } from '../db/refund/list-refunds.ts';
import type { MerchantGate } from './http/authentication/merchant-gate.ts';
import type { ApiContext } from './http/context.ts';
import { environmentFilter } from './http/lists/environment-filter.ts';
import type { Route } from './http/route.ts';
import { keyRoute, merchantRoute } from './http/routes/gated-route.ts';
import { listShown } from './subscription/shown-subscription.ts';

interface FullList {
  readonly name: string;
  readonly list: ListBatch<{ readonly id: string }>;
  readonly resource: z.ZodType;
  readonly example: unknown;
  /** Describes the list for API keys; absent if only the mirror exists. */
  readonly description?: string;
  readonly tag?: OperationDescription['tag'];
  /** Replaces parts of the mirror's description. */
  readonly mirror?: Partial<OperationDescription>;
  /** Products: the catalogue serves both environments, and keys of its scope may read it. */
  readonly isCatalogue?: true;
}

const SUBSCRIPTIONS = {
  name: 'subscriptions',
  list: listShown,
  resource: subscription,
  example: exampleSubscription,
  description: 'Every subscription with a first payment attempt, in every status.',
};

const listsOf = (publicUrl: string): readonly FullList[] => [
  {
    name: 'products',
    list: listProducts,
    resource: product,
    example: exampleProduct,
    description:
      'The catalogue, which serves both environments: each product with its active price, including inactive products.',
    mirror: {
      summary: 'The products of a merchant',
      description: 'All products, including inactive ones, newest first, each with its active price.',
      tag: 'Catalogue',
    },
    isCatalogue: true,
  },
  {
    name: 'orders',
    list: listOrders,
    resource: order,
    example: exampleOrder,
    description:
      'One order for each session with a payment attempt, for each period of a subscription and for each manual charge.',
  },
  {
    name: 'payments',
    list: listPayments,
    resource: payment,
    example: examplePayment,
    description: 'One payment for each attempt. The field credential_secret_ref is never returned.',
  },
  SUBSCRIPTIONS,
  {
    name: 'invoices',
    list: listInvoices(publicUrl),
    resource: invoice,
    example: exampleInvoice,
    description:
      'Invoices as issued. An invoice that is `created` with `amount_due` 0 is settled. `pdf_url` opens without a ' +
      'key: treat it as a secret of the customer.',
  },
  {
    name: 'credit-notes',
    list: listCreditNotes(publicUrl),
    resource: creditNote,
    example: exampleCreditNote,
    description:
      'Credit notes as issued. A refund of a payment with an invoice has one as soon as it is `succeeded`. `pdf_url` ' +
      'opens without a key: treat it as a secret of the customer.',
  },
  {
    name: 'refunds',
    list: listRefunds,
    resource: refund,
    example: exampleRefund,
    description: 'Each in its current state, newest first.',
    tag: 'Refunds',
  },
  {
    name: 'disputes',
    list: listDisputes,
    resource: dispute,
    example: exampleDispute,
    mirror: {
      description:
        'Payments that the buyer’s bank has disputed (chargebacks), newest first. Evidence is submitted at the card ' +
        'processor. The payment’s status does not change; a subscription with a lost dispute ends with its period, ' +
        'unless the merchant’s `renew_after_lost_dispute` is true. A person sees both environments unless they ' +
        'filter by one; a key sees its own.',
    },
  },
];

export function listRoutes(context: ApiContext): readonly Route[] {
  const lists = listsOf(context.config.api.publicUrl).filter(({ description }) => description);
  const current = serverList(SUBSCRIPTIONS, '/current', {
    operationId: 'listCurrentSubscriptions',
    summary: 'Alias of the full list of subscriptions',
  });
  return lists
    .flatMap((list) => (list === SUBSCRIPTIONS ? [serverList(list), current] : serverList(list)))
    .map((route) => route(context));
}

export function merchantListRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  return listsOf(context.config.api.publicUrl).map((list) => mirrorOf(list)(context, gate));
}

function serverList(full: FullList, below = '', names: Partial<OperationDescription> = {}) {
  const { name, list, description = '', tag = 'Billing', isCatalogue = false } = full;
  return keyRoute(
    ({ pool, readerPool = pool }) => ({
      method: 'get',
      path: `/v1/${name}${below}`,
      describe: {
        operationId: `list${pascal(name)}`,
        tag,
        summary: `All ${words(name)}`,
        description,
        answers: answersOf(full),
        ...names,
      },
      answer: (_request, scope) => (batch) => list(readerPool, scope, batch),
    }),
    isCatalogue,
  );
}

function mirrorOf(full: FullList) {
  const { name, list, isCatalogue, mirror } = full;
  return merchantRoute(({ pool, readerPool = pool }) => ({
    method: 'get',
    path: `/v1/merchants/:merchantId/${name}`,
    allow: isCatalogue ? ['read', 'manage_catalogue'] : ['read'],
    describe: {
      operationId: `listMerchant${pascal(name)}`,
      tag: 'Mirrors',
      summary: `All ${words(name)} of a merchant`,
      description: `The same list as \`GET /v1/${name}\`. A person sees both environments unless they filter by one; a key sees its own.`,
      ...(!isCatalogue && { query: bothEnvironments }),
      answers: answersOf(full),
      ...mirror,
    },
    answer: (request, { merchantId }, response) => {
      const environment = isCatalogue ? 'sandbox' : environmentFilter(request, response);
      return (batch) => listInEnvironments(readerPool, list, { merchantId, environment }, batch);
    },
  }));
}

function answersOf({ name, resource, example }: FullList): OperationDescription['answers'] {
  return { 200: { description: `All ${words(name)}, newest first.`, ...listOf(resource, example) } };
}

const words = (name: string) => name.replace('-', ' ');
const pascal = (name: string) => name.replace(/(?:^|-)./g, (start) => start.slice(-1).toUpperCase());
