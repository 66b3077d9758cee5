/** Routes behind a gate that return a resource or list: admission, the body's checks, status and `request_id`. */
import type { Request, RequestHandler, Response } from 'express';
import type { ErrorCode } from '../../../contract/core/errors.ts';
import type { Callers, OperationDescription } from '../../../contract/core/operation.ts';
import type { Actor } from '../../../db/core/audit.ts';
import type { Batch } from '../../../db/core/lists/list-batch.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import type { Permission } from '../../../domain/core/permissions.ts';
import { authenticate } from '../authentication/api-key.ts';
import { callersWith, type MerchantGate } from '../authentication/merchant-gate.ts';
import { refuseOtherMerchantInBody } from '../authentication/own-merchant.ts';
import type { ApiContext } from '../context.ts';
import { accessOf, actorOf, type MerchantAccess, scopeOf } from '../exchange.ts';
import { sendList } from '../lists/send-list.ts';
import { readJsonBody } from '../request/json-body.ts';
import { refuseUnknownFields } from '../request/refuse-unknown-fields.ts';
import { granted, sendResource } from '../resource.ts';
import type { Route } from '../route.ts';

/** The caller of a route under `/v1/merchants/:merchantId`. */
export type MerchantCaller = Omit<MerchantAccess, 'actor'> & { readonly actor: Actor };

type ReadBatch = (batch: Batch) => Promise<readonly { readonly id: string }[]>;
type Handle<Caller, Result> = (
  request: Request,
  caller: Caller,
  response: Response,
) => Result | Promise<Result>;

export interface GatedRoute<Caller> extends Pick<Route, 'method' | 'path'> {
  readonly describe: OperationDescription;
  /** Finds the subject that the path names; called only for a body with an unknown field. Absent if there is none. */
  readonly find?: Handle<Caller, unknown>;
  /** Names that the route rejects with their own code. */
  readonly alsoKnown?: readonly string[];
  /** Returns the resource, a reader of a list's batches, or the code of the rejection. */
  readonly answer: Handle<Caller, object | ReadBatch | ErrorCode>;
}

/** Responds with the status that the description names first, unless the handler has set another. */
export function gatedRoute<Caller>(
  { method, path, describe, find = () => true, alsoKnown, answer }: GatedRoute<Caller>,
  callers: Callers,
  before: readonly RequestHandler[],
  callerOf: (response: Response) => Caller,
): Route {
  const [status] = Object.keys(describe.answers);
  const serve: RequestHandler = async (request, response) => {
    response.status(Number(status));
    const found = granted(await answer(request, callerOf(response), response));
    if (isReader(found)) return sendList(response, found);
    sendResource(response, response.statusCode, found);
  };
  const exists = async (request: Request, response: Response) => find(request, callerOf(response), response);
  const known = describe.body ? [refuseUnknownFields(describe, exists, alsoKnown)] : [];
  return { method, path, handlers: [...before, ...known, serve], describe: { ...describe, ...callers } };
}

function isReader(found: object | ReadBatch): found is ReadBatch {
  return typeof found === 'function';
}

/**
 * A route that merchants' servers call with an API key.
 *
 * @param catalogue whether keys of the scope `catalogue` may call it
 */
export function keyRoute(routeOf: (context: ApiContext) => GatedRoute<Scope>, catalogue = false) {
  return (context: ApiContext): Route => {
    const route = routeOf(context);
    const body = route.describe.body ? [readJsonBody, refuseOtherMerchantInBody] : [];
    const callers = { security: 'apiKey', ...(catalogue && { catalogue }) } as const;
    return gatedRoute(route, callers, [authenticate(context, catalogue), ...body], scopeOf);
  };
}

type MerchantRoute = GatedRoute<MerchantCaller> & {
  /** Admits callers with at least one of these permissions. */
  readonly allow: readonly Permission[];
};

export function merchantRoute(routeOf: (context: ApiContext) => MerchantRoute) {
  return (context: ApiContext, gate: MerchantGate): Route => {
    const { allow, ...route } = routeOf(context);
    const body = route.describe.body ? [readJsonBody, refuseOtherMerchantInBody] : [];
    return gatedRoute(route, callersWith(allow), [...gate.allow(...allow), ...body], (response) => ({
      ...accessOf(response),
      actor: actorOf(response),
    }));
  };
}
