/**
 * The read-only billing lists under `/v1/merchants/:merchantId`. People see both environments unless they
 * filter by one; the merchant's keys see their own.
 */

import { exampleProduct, product } from '../contract/catalogue/resources.ts';
import { type ListDescription, listOperation } from '../contract/core/list-operation.ts';
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
import { merchantRoute } from './http/routes/gated-route.ts';
import { listShown } from './subscription/shown-subscription.ts';

export function merchantListRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  const { publicUrl } = context.config.api;
  const routes = [
    products,
    mirror('orders', listOrders, described('Orders', order, exampleOrder)),
    mirror('payments', listPayments, described('Payments', payment, examplePayment)),
    mirror('subscriptions', listShown, described('Subscriptions', subscription, exampleSubscription)),
    mirror('refunds', listRefunds, described('Refunds', refund, exampleRefund)),
    mirror('disputes', listDisputes, describeDisputes),
    mirror('invoices', listInvoices(publicUrl), described('Invoices', invoice, exampleInvoice)),
    mirror('credit-notes', listCreditNotes(publicUrl), describeCreditNotes),
  ];
  return routes.map((route) => route(context, gate));
}

function mirror<Resource extends { readonly id: string }>(
  name: string,
  listBatch: ListBatch<Resource>,
  describe: OperationDescription,
) {
  return merchantRoute(({ pool, readerPool = pool }) => ({
    method: 'get',
    path: `/v1/merchants/:merchantId/${name}`,
    allow: ['read'],
    describe,
    answer: (request, { merchantId }, response) => {
      const scope = { merchantId, environment: environmentFilter(request, response) };
      return (batch) => listInEnvironments(readerPool, listBatch, scope, batch);
    },
  }));
}

/** Lists products without a filter, because the catalogue serves both environments. */
const products = merchantRoute(({ pool, readerPool = pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/products',
  allow: ['read', 'manage_catalogue'],
  describe: describeProducts,
  answer:
    (_request, { merchantId }) =>
    (batch) =>
      listProducts(readerPool, { merchantId, environment: 'sandbox' }, batch),
}));

const describeProducts: OperationDescription = {
  ...listOperation({
    operationId: 'listMerchantProducts',
    summary: 'The products of a merchant',
    description: 'All of them, newest first, each with its active price, including inactive ones.',
    resource: product,
    example: exampleProduct,
  }),
  tag: 'Catalogue',
};

const describeDisputes: OperationDescription = {
  ...listOperation({
    operationId: 'listMerchantDisputes',
    summary: 'All disputes of a merchant',
    description:
      'Payments that the buyer’s bank has disputed (chargebacks), newest first. Evidence is submitted at the card ' +
      'processor. The payment’s status does not change; a subscription with a lost dispute ends with its period, ' +
      'unless the merchant’s `renew_after_lost_dispute` is true. A person sees both environments unless they ' +
      'filter by one; a key sees its own.',
    resource: dispute,
    example: exampleDispute,
  }),
  tag: 'Mirrors',
  query: bothEnvironments,
};

const describeCreditNotes: OperationDescription = {
  ...described('CreditNotes', creditNote, exampleCreditNote),
  summary: 'All credit notes of a merchant',
  description:
    'The list of `GET /v1/credit-notes`. A person sees both environments unless they filter by one; a key sees its own.',
};

function described(
  name: string,
  resource: ListDescription['resource'],
  example: ListDescription['example'],
): OperationDescription {
  const list = listOperation({
    operationId: `listMerchant${name}`,
    summary: `All ${name.toLowerCase()} of a merchant`,
    description: `The list of \`GET /v1/${name.toLowerCase()}\`. A person sees both environments unless they filter by one; a key sees its own.`,
    resource,
    example,
  });
  return { ...list, tag: 'Mirrors', query: bothEnvironments };
}
