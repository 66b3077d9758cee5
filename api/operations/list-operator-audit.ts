/** GET /v1/operations/audit: who changed what at any merchant, newest first. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import {
  exampleOperatorAudit,
  operatorAuditAnswer,
  operatorAuditQuery,
} from '../../contract/operations/audit.ts';
import { listOperatorAudit } from '../../db/operations/audit.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { exchangeOf } from '../http/exchange.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import type { Route } from '../http/route.ts';
import { operators } from './operator-gate.ts';

export function listOperatorAuditRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const given = parseRequest(operatorAuditQuery, request.query);
    const { subject_id: subjectId, merchant_id: merchantId, cursor: before, limit, ...others } = given;
    const page = await listOperatorAudit(pool, { ...others, subjectId, merchantId, before, limit });
    response.json({
      data: page,
      next_cursor: page.length === limit ? (page.at(-1)?.id ?? null) : null,
      request_id: exchangeOf(response).requestId,
    });
  };
  return {
    method: 'get',
    path: '/v1/operations/audit',
    // Support people may not read the audit log.
    handlers: [...operators(gate, 'act'), list],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'listOperatorAudit',
  tag: 'Operations',
  summary: 'The audit log of all merchants',
  description:
    'Every change by people and operators, newest first, with the state before and after, without secrets: of all subjects, ' +
    'of one id, one merchant or one person. For `platform` people.',
  security: 'person',
  query: operatorAuditQuery,
  answers: {
    200: { description: 'A page of the log.', schema: operatorAuditAnswer, example: exampleOperatorAudit },
  },
  errors: [],
};
