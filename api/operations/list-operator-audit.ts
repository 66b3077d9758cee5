/** GET /v1/operations/audit: who changed what at any merchant, newest first. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import {
  operatorAuditAnswer,
  operatorAuditEntry,
  operatorAuditQuery,
} from '../../contract/operations/audit.ts';
import { listAudit } from '../../db/operations/audit.ts';
import { pageAfterId } from '../http/lists/cursor.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { operatorRoute } from './operator-gate.ts';

export const listOperatorAuditRoute = operatorRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/operations/audit',
  // Support people may not read the audit log.
  may: 'act',
  describe,
  answer: async (request) => {
    const given = parseRequest(operatorAuditQuery, request.query);
    const { subject_id: subjectId, merchant_id: merchantId, cursor: before, limit, ...others } = given;
    const filter = { ...others, subjectId, merchantId, before, limit: limit + 1 };
    return pageAfterId(await listAudit(pool, filter, operatorAuditEntry), limit);
  },
}));

const describe: OperationDescription = {
  operationId: 'listOperatorAudit',
  tag: 'Operations',
  summary: 'The audit log of all merchants',
  description:
    'Every change by people and operators, newest first, with the state before and after, without secrets: for all ' +
    'subjects, one id, one merchant or one person. For `platform` people.',
  query: operatorAuditQuery,
  answers: { 200: { description: 'A page of the log.', ...operatorAuditAnswer } },
};
