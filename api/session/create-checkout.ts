/**
 * POST /v1/checkouts: a hosted checkout session in the environment of the API key. The order of the checks is part of
 * the contract (docs/contract.md#order-of-checks); those against stored facts are in `db/session/create-session.ts`.
 */
import type { RequestHandler } from 'express';
import { exampleProduct } from '../../contract/catalogue/resources.ts';
import { fieldCodes } from '../../contract/core/field-codes.ts';
import type { DescribedOperation } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import {
  type CheckoutRequest,
  type CheckoutSession,
  checkoutRequest,
  checkoutSession,
  exampleCheckout,
} from '../../contract/session/checkout.ts';
import { createSession, type NewSession, SESSION_REFUSALS } from '../../db/session/create-session.ts';
import { COUPON_REFUSALS, createSessionWithCoupon } from '../../db/session/create-with-coupon.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { authenticate } from '../http/authentication/api-key.ts';
import { refuseOtherMerchant } from '../http/authentication/own-merchant.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { exchangeOf, scopeOf } from '../http/exchange.ts';
import { readJsonBody } from '../http/request/json-body.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { buyerDetails } from './buyer-details.ts';
import { sessionOpener } from './open-session.ts';
import { failAsCheckout } from './refused-session.ts';

export function createCheckoutRoute(context: ApiContext): Route {
  const opener = sessionOpener(context, 'ap_chk_');

  const create: RequestHandler = async (request, response) => {
    const scope = scopeOf(response);
    const fields = parseFields(checkoutRequest, request.body, 'checkout');
    refuseForeignNames(request.body, scope);
    if (fields.couponCode && fields.amount) throw new ApiError('checkout_couponCode_not_allowed_with_amount');
    const session = {
      ...newSession(scope, fields),
      ...opener.common(),
      lifetimeSeconds: context.config.session.lifetimeSeconds,
    };
    const created = await insert(context, session, fields.couponCode ?? null);
    const { id, page, pageToken: sessionId } = await opener.open(created, scope);
    const answer: CheckoutSession = { id, sessionId, ...page, request_id: exchangeOf(response).requestId };
    response.status(201).set('x-service-flow-id', id).json(answer);
  };

  return {
    method: 'post',
    path: '/v1/checkouts',
    handlers: [authenticate(context), failAsCheckout, refuseIdempotencyKey, readJsonBody, create],
    describe,
  };
}

async function insert({ pool }: ApiContext, session: NewSession, couponCode: string | null) {
  if (couponCode === null) return createSession(pool, session);
  const created = await createSessionWithCoupon(pool, session, couponCode);
  if (typeof created === 'string') throw new ApiError(created);
  return created;
}

const refuseIdempotencyKey: RequestHandler = (request, _response, next) => {
  if (request.headers['idempotency-key'] !== undefined)
    throw new ApiError('checkout_idempotency_key_not_allowed');
  next();
};

/** Rejects a request that names a merchant or a price: the key determines the merchant, the product the price. */
function refuseForeignNames(body: Readonly<Record<string, unknown>>, { merchantId }: Scope): void {
  const named = body.merchantId ?? undefined;
  if (named === merchantId) throw new ApiError('merchant_id_not_allowed');
  refuseOtherMerchant(named, merchantId);
  if ((body.priceId ?? undefined) !== undefined) throw new ApiError('price_id_not_allowed');
}

function newSession(scope: Scope, fields: CheckoutRequest) {
  return {
    scope,
    source: 'checkout' as const,
    productId: fields.productId,
    externalCustomerId: fields.externalCustomerId,
    buyer: buyerDetails(fields.customer),
    amount: fields.amount ?? null,
    quantity: fields.quantity ?? null,
    preselectedMethod: fields.paymentMethod ?? null,
    locale: fields.locale ?? null,
    merchantReference: fields.reconciliation?.merchantReference ?? null,
    successUrl: fields.successUrl ?? null,
    failUrl: fields.failUrl ?? null,
  };
}

const describe: DescribedOperation = {
  operationId: 'createCheckout',
  tag: 'Checkouts',
  summary: 'Create a checkout session',
  description:
    "A hosted session in the environment of the key. Send the buyer's browser to `hostedUrl` within 30 minutes; " +
    'declined attempts may be repeated there. `payment.succeeded` or `payment.failed` reports each attempt; a ' +
    'recurring product creates a subscription, reported by `subscription.created`.\n\n' +
    'The merchant comes from the key and the price from the product: `merchantId` and `priceId` are refused, and so ' +
    'is an `Idempotency-Key` header. An unpaid session costs nothing: after a 5xx create another.\n\n' +
    'Checked in this order: key, merchant, `Idempotency-Key`, body, its fields as listed, `merchantId`, `priceId`, ' +
    '`couponCode` with `amount`, product, capability, price, `quantity`, `amount`, rail account, coupon.',
  security: 'apiKey',
  failureCode: 'checkout_failed',
  body: {
    schema: checkoutRequest,
    example: {
      productId: exampleProduct.id,
      externalCustomerId: 'customer-17',
      customer: { email: 'ada@example.org', name: 'Ada Lovelace' },
      successUrl: 'https://shop.example/thanks',
      failUrl: 'https://shop.example/cart',
      reconciliation: { merchantReference: 'cart-17' },
    },
    required: true,
  },
  answers: {
    201: {
      description: 'The session.',
      schema: checkoutSession,
      example: exampleCheckout,
      headers: withFlowId,
    },
  },
  errors: [
    'checkout_idempotency_key_not_allowed',
    ...fieldCodes(checkoutRequest, 'checkout'),
    'merchant_id_not_allowed',
    'price_id_not_allowed',
    'checkout_couponCode_not_allowed_with_amount',
    // The bounds of `quantity` are checked as a field, and again with the product.
    ...SESSION_REFUSALS.filter((code) => code !== 'checkout_quantity_invalid'),
    ...COUPON_REFUSALS,
  ],
};
