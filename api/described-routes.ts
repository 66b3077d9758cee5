/** The routes of the API as data, for whoever describes or counts them and calls none. */
import type { DescribedRoute } from '../contract/openapi/operation-object.ts';
import { allRoutes } from './all-routes.ts';
import { describedOf } from './http/api-description.ts';
import type { ApiContext } from './http/context.ts';
import { keysOnlyGate } from './http/merchant-gate.ts';

/** Routes take what they need from the context when they are called: these never are. */
const NOTHING = {
  ...{ pool: {}, temporal: {}, secretBox: {}, logger: {}, rails: new Map() },
  config: { api: { publicUrl: 'https://pay.example' }, checkout: {}, secrets: {}, webhooks: {} },
} as unknown as ApiContext;

export function describedRoutes(): readonly DescribedRoute[] {
  return describedOf(allRoutes(NOTHING, keysOnlyGate(NOTHING)));
}
