/** GET /v1/merchants/:merchantId/overview: the numbers of the dashboard's first page. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { environmentOnly, merchantIdPath } from '../../contract/core/pages.ts';
import { requiredText } from '../../contract/core/text.ts';
import { exampleOverview, type Overview, overviewAnswer } from '../../contract/merchant/overview.ts';
import { readOverview } from '../../db/merchant/overview.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { sendResource } from '../http/auth/administer.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { environmentScope } from '../http/lists/environment-scope.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import type { Route } from '../http/route.ts';

const query = environmentOnly.extend({
  time_zone: requiredText(64)
    .default('UTC')
    .meta({ description: 'IANA name of the time zone whose days are used.' }),
});

/** How long a result is shared after it was read. */
const SHARED_MS = 3_000;

export function showOverviewRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const reading = new Map<string, Promise<Overview>>();
  /** Reads once for all open dashboards of a merchant, so that together they use one connection. */
  const readShared = (scope: Scope, zone: string): Promise<Overview> => {
    const key = `${scope.merchantId} ${scope.environment} ${zone}`;
    const known = reading.get(key);
    if (known) return known;
    const numbers = readOverview(pool, scope, zone);
    reading.set(key, numbers);
    const forget = () => void reading.delete(key);
    numbers.then(() => setTimeout(forget, SHARED_MS).unref(), forget);
    return numbers;
  };
  const show: RequestHandler = async (request, response) => {
    const { time_zone: timeZone } = parseRequest(query, request.query);
    const scope = environmentScope(request, response);
    sendResource(response, 200, await readShared(scope, knownZone(timeZone)));
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/overview',
    handlers: [...gate.read, show],
    describe,
  };
}

/** @throws ApiError 400 */
function knownZone(name: string): string {
  // Rejects offsets such as +02:00, which mean the opposite in PostgreSQL.
  if (/^[A-Za-z]/.test(name)) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    } catch {}
  }
  throw new ApiError('invalid_request', { message: 'time_zone must be an IANA name such as Europe/Berlin.' });
}

const describe: OperationDescription = {
  operationId: 'showOverview',
  tag: 'Dashboard',
  summary: 'Numbers of a merchant',
  description:
    'Sales, conversion, declines, subscriptions, and open issues, in one environment. Up to five seconds old.',
  security: 'apiKeyOrPerson',
  path: merchantIdPath,
  query,
  answers: { 200: { description: 'The numbers.', schema: overviewAnswer, example: exampleOverview } },
  errors: ['invalid_request'],
};
