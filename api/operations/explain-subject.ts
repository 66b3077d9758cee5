/** GET /v1/operations/subjects/:id: a subject's past and next steps, like `npm run ops -- why`. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { explanationBody } from '../../contract/operations/subjects.ts';
import { explain } from '../../db/operations/explain.ts';
import { explainInTemporal } from './incidents-in-temporal.ts';
import { mayReadAudit, merchantsSeenBy, operatorRoute } from './operator-gate.ts';
import { subjectOfRequest } from './subject-of-request.ts';

export const explainSubjectRoute = operatorRoute((context) => {
  const { pool, config } = context;
  return {
    method: 'get',
    path: '/v1/operations/subjects/:id',
    may: 'see',
    describe,
    answer: async (request, _caller, response) => {
      const { links } = config.operator;
      const isAllSeen = merchantsSeenBy(response) === null;
      const inTemporal = isAllSeen
        ? await explainInTemporal(context, String(request.params.id), links)
        : null;
      if (inTemporal) return inTemporal;
      const found = await subjectOfRequest(context, request, response);
      return explain(pool, found, links, mayReadAudit(response));
    },
  };
});

const describe: OperationDescription = {
  operationId: 'explainSubject',
  tag: 'Operations',
  summary: 'Explain a subject’s state',
  description:
    'Describes the state, incidents, history with every answer of the rail, next step and related ids. Accepts every id of ' +
    '`searchSubjects` and of `listIncidents`, including a whole rail in an environment (`<rail>:<environment>`) and a request ' +
    'that waits for a second person (`ap_opr_…`).',
  answers: { 200: { description: 'The explanation.', ...explanationBody } },
  errors: ['operation_subject_not_found'],
};
