/** Routes that take an `Idempotency-Key`, of a merchant's server or of a person at a merchant. */
import type { Request, RequestHandler, Response } from 'express';
import type { ErrorCode } from '../../../contract/core/errors.ts';
import type { Callers, OperationDescription } from '../../../contract/core/operation.ts';
import type { Pool } from '../../../db/core/pool.ts';
import type { Permission } from '../../../domain/core/permissions.ts';
import { authenticate } from '../authentication/api-key.ts';
import { callersWith, type MerchantGate } from '../authentication/merchant-gate.ts';
import { refuseOtherMerchantInBody } from '../authentication/own-merchant.ts';
import type { ApiContext } from '../context.ts';
import { accessOf, actorOf, scopeOf } from '../exchange.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../idempotency.ts';
import { readJsonBody } from '../request/json-body.ts';
import { refuseUnknownFields } from '../request/refuse-unknown-fields.ts';
import { granted } from '../resource.ts';
import type { Route } from '../route.ts';
import type { MerchantCaller } from './gated-route.ts';

interface KeyedRoute extends Pick<Route, 'path'> {
  readonly describe: OperationDescription;
  /** Further checks of the caller. */
  readonly admit?: readonly RequestHandler[];
  /** Finds the subject that the request names; called only for a body with an unknown field. */
  readonly find?: (request: Request, response: Response) => Promise<unknown>;
  /** Responses contain a secret: their stored bodies are encrypted. */
  readonly sealed?: boolean | undefined;
  readonly movesMoney?: boolean;
  /**
   * False if rows that a restore adopts cannot change a rejection: it is then final even while the database is fenced.
   */
  readonly isRestorable?: boolean;
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

interface CreateRoute extends Pick<KeyedRoute, 'path' | 'describe' | 'sealed'> {
  /** Admits callers with at least one of these permissions. */
  readonly allow: readonly Permission[];
  readonly idPrefix: string;
  readonly find: (pool: Pool, merchantId: string, id: string) => Promise<object | null>;
  /**
   * @param id the new resource's id; null without a key, in which case the database chooses
   * @returns the resource, or the code of the rejection
   */
  readonly create: (
    request: Request,
    caller: MerchantCaller,
    id: string | null,
    response: Response,
  ) => Promise<object | ErrorCode>;
}

/** A route that creates a resource of a merchant: at most one for an `Idempotency-Key`, which is optional. */
export function createRoute(routeOf: (context: ApiContext) => CreateRoute) {
  return (context: ApiContext, gate: MerchantGate): Route => {
    const { allow, path, describe, sealed, idPrefix, find, create } = routeOf(context);
    const operation: Operation = async (request, response, operationId) => {
      const caller = { ...accessOf(response), actor: actorOf(response) };
      const id = operationId && idPrefix + operationId.slice('op_'.length);
      const earlier = async () => id && (await find(context.pool, caller.merchantId, id));
      const found = await earlier();
      if (found) return { status: 201, body: { ...found } };
      try {
        const created = granted(await create(request, caller, id, response));
        return { status: 201, body: { ...created } };
      } catch (error) {
        // A concurrent run of this operation may have created the resource, and so have caused the failure.
        const overtaking = await earlier();
        if (!overtaking) throw error;
        return { status: 201, body: { ...overtaking } };
      }
    };
    return personRoute(context, gate, allow, { path, describe, sealed, isRestorable: false, operation });
  };
}

function keyedRoute(
  { pool, secretBox }: ApiContext,
  {
    path,
    describe,
    admit = [],
    find = async () => true,
    sealed,
    movesMoney,
    isRestorable,
    operation,
  }: KeyedRoute,
  callers: Callers,
  gate: readonly RequestHandler[],
  ownerOf: (response: Response) => string,
): Route {
  const keys = { pool, scopeOf: ownerOf, ...(sealed && { sealWith: secretBox }), movesMoney, isRestorable };
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
