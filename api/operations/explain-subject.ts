/** GET /v1/operations/subjects/:id: a subject's past and next steps, like `npm run ops -- why`. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { exampleExplanation, explanationBody, subjectPath } from '../../contract/operations/subjects.ts';
import { explain } from '../../db/operations/explain.ts';
import { sendResource } from '../http/auth/administer.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { explainInTemporal } from './incidents-in-temporal.ts';
import { mayReadAudit, merchantsSeenBy, operators } from './operator-gate.ts';
import { SUBJECT, subjectOfRequest } from './subject-of-request.ts';

export function explainSubjectRoute(context: ApiContext, gate: MerchantGate): Route {
  const { pool, config } = context;
  const show: RequestHandler = async (request, response) => {
    const { links } = config.operator;
    const isAllSeen = merchantsSeenBy(response) === null;
    const inTemporal = isAllSeen ? await explainInTemporal(context, String(request.params.id), links) : null;
    if (inTemporal) return sendResource(response, 200, inTemporal);
    const found = await subjectOfRequest(context, request, response);
    sendResource(response, 200, await explain(pool, found, links, mayReadAudit(response)));
  };
  return { method: 'get', path: SUBJECT, handlers: [...operators(gate, 'see'), show], describe };
}

const describe: OperationDescription = {
  operationId: 'explainSubject',
  tag: 'Operations',
  summary: 'Explain a subject’s state',
  description:
    'Description of the state, incidents, history with every answer of the rail, what comes next, and related ids. Takes the ids of ' +
    '`searchSubjects` and of `listIncidents`: also a whole rail in an environment (`<rail>:<environment>`) and a request ' +
    'that waits for a second person (`ap_opr_…`).',
  security: 'person',
  path: subjectPath,
  answers: {
    200: { description: 'The explanation.', schema: explanationBody, example: exampleExplanation },
  },
  errors: ['operation_subject_not_found'],
};
