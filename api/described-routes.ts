/** The API's routes as data, to describe or count them without calling any. */
import type { DescribedRoute } from '../contract/openapi/operation-object.ts';
import { allRoutes } from './all-routes.ts';
import { describedOf } from './http/api-description.ts';
import { keysOnlyGate } from './http/authentication/merchant-gate.ts';
import type { ApiContext } from './http/context.ts';

/** Stands in for the context, which only handlers use: they are never called here. */
const NOTHING = {
  pool: {},
  temporal: {},
  secretBox: {},
  logger: {},
  rails: new Map(),
  config: { api: { publicUrl: 'https://pay.example' }, session: {}, secrets: {}, webhooks: {} },
} as unknown as ApiContext;

export function describedRoutes(): readonly DescribedRoute[] {
  return describedOf(allRoutes(NOTHING, keysOnlyGate(NOTHING)));
}
