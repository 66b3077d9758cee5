/** GET /v1/merchants/:merchantId/audit: who changed what, newest first. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { auditAnswer, auditEntry, auditQuery } from '../../../contract/merchant/audit.ts';
import { listAudit } from '../../../db/operations/audit.ts';
import { pageAfterId } from '../../http/lists/cursor.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const listAuditRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/audit',
  allow: ['read_audit'],
  describe,
  answer: async (request, { merchantId }) => {
    const given = parseRequest(auditQuery, request.query);
    const { subject_id: subjectId, cursor: before, limit, ...others } = given;
    const filter = { ...others, merchantId, subjectId, before, limit: limit + 1 };
    return pageAfterId(await listAudit(pool, filter, auditEntry), limit);
  },
}));

const describe: OperationDescription = {
  operationId: 'listAudit',
  tag: 'Merchants',
  summary: 'The audit log',
  description:
    'Every change by people and operators, with the state before and after, without secrets. For ' +
    'owners and `platform` people. Entries are written in the transaction of the change and never altered.',
  query: auditQuery,
  answers: { 200: { description: 'A page of the log.', ...auditAnswer } },
};
