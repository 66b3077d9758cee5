/** GET /v1/operations/incidents: incidents that wait for an operator, oldest first. */
import { z } from 'zod';
import { listOf } from '../../contract/core/answers.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { requiredText } from '../../contract/core/text.ts';
import { KINDS_OF_INCIDENT } from '../../contract/operations/incident-kinds.ts';
import { exampleIncident, incident } from '../../contract/operations/incidents.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { MAX_CENTS } from '../../domain/core/money.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { readIncidents } from './incidents-in-temporal.ts';
import { mayReadAudit, merchantsSeenBy, operatorRoute } from './operator-gate.ts';

const query = z.object({
  kind: z.enum(KINDS_OF_INCIDENT).optional(),
  merchant_id: requiredText(64).optional(),
  environment: z.enum(ENVIRONMENTS).optional(),
  min_amount: z.coerce.number().int().nonnegative().max(MAX_CENTS).optional().meta({ description: 'Cents.' }),
  older_than_seconds: z.coerce.number().int().nonnegative().max(1_000_000_000).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
});

export const listIncidentsRoute = operatorRoute(({ pool, temporal, config }) => ({
  method: 'get',
  path: '/v1/operations/incidents',
  may: 'see',
  describe,
  answer: async (request, _caller, response) => {
    const given = parseRequest(query, request.query);
    const filter = {
      kinds: given.kind && [given.kind],
      merchants: merchantsSeenBy(response),
      merchantId: given.merchant_id,
      environment: given.environment,
      minAmount: given.min_amount,
      olderThanSeconds: given.older_than_seconds,
      limit: given.limit,
    };
    return {
      data: await readIncidents({ pool, temporal }, filter, config.operator.links, mayReadAudit(response)),
    };
  },
}));

const describe: OperationDescription = {
  operationId: 'listIncidents',
  tag: 'Operations',
  summary: 'Incidents that need an operator',
  description:
    'Every kind of incident with amount, age, reason, the next command and links: first Temporal and the workers, if ' +
    'they do not answer, then the others, oldest first. For `platform` people; `support` people see their merchants’ only.',
  query,
  answers: {
    200: { description: 'The incidents.', ...listOf(incident, exampleIncident) },
  },
};
