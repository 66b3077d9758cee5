/** GET /v1/operations/access: the caller's permissions as an operator. */
import type { RequestHandler } from 'express';
import type { DescribedOperation } from '../../contract/core/operation.ts';
import { operatorAccessAnswer } from '../../contract/operations/overview.ts';
import { OPERATIONS, type Role } from '../../domain/core/permissions.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { personOf } from '../http/exchange.ts';
import { sendResource } from '../http/resource.ts';
import type { Route } from '../http/route.ts';

export function showOperatorAccessRoute(_context: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = (_request, response) => {
    const { actor, roles } = personOf(response);
    const may = (['see', 'act'] as const).filter((each) => {
      const holders: readonly Role[] = OPERATIONS[each];
      return roles.some((role) => holders.includes(role));
    });
    sendResource(response, 200, { actor, may });
  };
  return { method: 'get', path: '/v1/operations/access', handlers: [...gate.people, show], describe };
}

const describe: DescribedOperation = {
  operationId: 'showOperatorAccess',
  tag: 'Operations',
  summary: 'Your permissions as an operator',
  description:
    '`support` people see their merchants’ incidents, `platform` people see everything and can run commands.',
  security: 'person',
  answers: { 200: { description: 'The person’s permissions.', ...operatorAccessAnswer } },
};
