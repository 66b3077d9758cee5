/**
 * The billing lists under `/v1/merchants/:merchantId`, read-only: for people, who see both environments unless
 * they ask for one, and for the merchant's own keys, which see their own.
 */
import type { RequestHandler } from 'express';
import {
  type ListBatch,
  listInEnvironments,
  listInvoices,
  listOrders,
  listPayments,
  listProducts,
  listSubscriptions,
} from '../../db/lists.ts';
import type { ApiContext } from '../context.ts';
import { environmentFilter } from '../environment-filter.ts';
import { accessOf } from '../exchange.ts';
import { sendList } from '../list-route.ts';
import type { MerchantGate } from '../merchant-gate.ts';
import type { Route } from '../route.ts';
import { PRODUCTS } from './products/product-of-request.ts';

const MERCHANT = '/v1/merchants/:merchantId';

export function merchantListRoutes({ pool, config }: ApiContext, gate: MerchantGate): readonly Route[] {
  function mirror<Resource extends { readonly id: string }>(
    name: string,
    listBatch: ListBatch<Resource>,
  ): Route {
    const list: RequestHandler = async (request, response) => {
      const { merchantId } = accessOf(response);
      const environment = environmentFilter(request, response);
      await sendList(response, (batch) =>
        listInEnvironments(pool, listBatch, { merchantId, environment }, batch),
      );
    };
    return { method: 'get', path: `${MERCHANT}/${name}`, handlers: [...gate.read, list] };
  }

  /** One catalogue serves both environments: there is nothing to narrow. */
  const products: RequestHandler = (_request, response) => {
    const { merchantId } = accessOf(response);
    return sendList(response, (batch) => listProducts(pool, { merchantId, environment: 'sandbox' }, batch));
  };

  return [
    { method: 'get', path: PRODUCTS, handlers: [...gate.read, products] },
    mirror('orders', listOrders),
    mirror('payments', listPayments),
    mirror('subscriptions', listSubscriptions),
    mirror('invoices', listInvoices(config.api.publicUrl)),
  ];
}
