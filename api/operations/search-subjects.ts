/** GET /v1/operations/subjects?id=…: every subject with an id or reference. */
import { z } from 'zod';
import { listOf } from '../../contract/core/answers.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { requiredText } from '../../contract/core/text.ts';
import { exampleSubject, subject } from '../../contract/operations/subjects.ts';
import { searchSubjects } from '../../db/operations/search.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { merchantsSeenBy, operatorRoute } from './operator-gate.ts';

const MOST = 50;
const query = z.object({
  id: requiredText(320)
    .optional()
    .meta({
      description:
        'The id or reference to find; without it the result is empty. An id of this service (of a payment, session, ' +
        'subscription, refund, dispute, event, order, invoice, endpoint, rail account or merchant, of a request or an incident), the rail’s, the merchant’s reference or customer, the page’s `sessionId`, or the buyer’s email address.',
    }),
});

export const searchSubjectsRoute = operatorRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/operations/subjects',
  may: 'see',
  describe,
  answer: async (request, _caller, response) => {
    const { id = '' } = parseRequest(query, request.query);
    return {
      data: await searchSubjects(pool, id, merchantsSeenBy(response), MOST),
    };
  },
}));

const describe: OperationDescription = {
  operationId: 'searchSubjects',
  tag: 'Operations',
  summary: 'Search by any id',
  description: 'At most 50, newest first. Empty if nothing has the id or reference.',
  query,
  answers: {
    200: { description: 'The matching subjects.', ...listOf(subject, exampleSubject) },
  },
};
