/** Routes that take an `Idempotency-Key`, of a merchant's server or of a person at a merchant. */
import type { Request, RequestHandler, Response } from 'express';
import type { Callers, OperationDescription } from '../../../contract/core/operation.ts';
import type { Permission } from '../../../domain/core/permissions.ts';
import { authenticate } from '../authentication/api-key.ts';
import { callersWith, type MerchantGate } from '../authentication/merchant-gate.ts';
import { refuseOtherMerchantInBody } from '../authentication/own-merchant.ts';
import type { ApiContext } from '../context.ts';
import { accessOf, scopeOf } from '../exchange.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../idempotency.ts';
import { readJsonBody } from '../request/json-body.ts';
import { refuseUnknownFields } from '../request/refuse-unknown-fields.ts';
import type { Route } from '../route.ts';

interface KeyedRoute extends Pick<Route, 'path'> {
  readonly describe: OperationDescription;
  /** Further checks of the caller. */
  readonly admit?: readonly RequestHandler[];
  /** Finds the subject that the request names; called only for a body with an unknown field. */
  readonly find?: (request: Request, response: Response) => Promise<unknown>;
  /** Responses contain a secret: their stored bodies are encrypted. */
  readonly sealed?: boolean;
  readonly movesMoney?: boolean;
  readonly operation: Operation;
}

/** A route for a merchant's server. Each of the merchant's environments has its own idempotency keys. */
export function serverRoute(context: ApiContext, route: KeyedRoute): Route {
  return keyedRoute(context, route, { security: 'apiKey' }, [authenticate(context)], (response) => {
    const { merchantId, environment } = scopeOf(response);
    return `merchant:${merchantId}:${environment}`;
  });
}

/** A route for the people at a merchant, who share one set of idempotency keys. */
export function personRoute(
  context: ApiContext,
  gate: MerchantGate,
  allow: readonly Permission[],
  route: KeyedRoute,
): Route {
  const ownerOf = (response: Response) => `merchant:${accessOf(response).merchantId}:people`;
  return keyedRoute(context, route, callersWith(allow), gate.allow(...allow), ownerOf);
}

function keyedRoute(
  { pool, secretBox }: ApiContext,
  { path, describe, admit = [], find = async () => true, sealed, movesMoney, operation }: KeyedRoute,
  callers: Callers,
  gate: readonly RequestHandler[],
  ownerOf: (response: Response) => string,
): Route {
  const keys = { pool, scopeOf: ownerOf, ...(sealed && { sealWith: secretBox }), movesMoney };
  const handlers = [
    ...gate,
    ...admit,
    takeIdempotencyKey({ required: describe.idempotencyKey === 'required' }),
    readJsonBody,
    refuseOtherMerchantInBody,
    refuseUnknownFields(describe, find),
    idempotent(keys, operation),
  ];
  return { method: 'post', path, handlers, describe: { ...describe, ...callers } };
}
