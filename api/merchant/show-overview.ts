/** GET /v1/merchants/:merchantId/overview: the numbers of the dashboard's first page. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { environmentOnly } from '../../contract/core/pagination.ts';
import { type Overview, overviewAnswer } from '../../contract/merchant/overview.ts';
import { readOverview } from '../../db/merchant/overview.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { environmentScope } from '../http/lists/environment-scope.ts';
import { merchantRoute } from '../http/routes/gated-route.ts';

/** How long a result is shared. */
const SHARED_MS = 3_000;

export const showOverviewRoute = merchantRoute(({ pool }) => {
  const reading = new Map<string, Promise<Overview>>();
  /** Reads once for all open dashboards of a merchant, so that they share one connection. */
  const readShared = (scope: Scope): Promise<Overview> => {
    const key = `${scope.merchantId} ${scope.environment}`;
    const known = reading.get(key);
    if (known) return known;
    const numbers = readOverview(pool, scope);
    reading.set(key, numbers);
    const forget = () => void reading.delete(key);
    numbers.then(() => setTimeout(forget, SHARED_MS).unref(), forget);
    return numbers;
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/overview',
    allow: ['read'],
    describe,
    answer: (request, _caller, response) => readShared(environmentScope(request, response)),
  };
});

const describe: OperationDescription = {
  operationId: 'showOverview',
  tag: 'Dashboard',
  summary: 'Key figures of a merchant',
  description:
    'Sales, conversion, declines, subscriptions and open issues in one environment. Up to five seconds old.',
  query: environmentOnly,
  answers: { 200: { description: 'The figures.', ...overviewAnswer } },
};
