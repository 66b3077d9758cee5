/** POST /v1/operations/requests/:requestId/withdraw: withdraws a command that waits for a second person. */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { commandAnswerBody, exampleCommandAnswer, withdrawBody } from '../../contract/operations/commands.ts';
import { sendResource } from '../http/auth/administer.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { exchangeOf, personOf } from '../http/exchange.ts';
import { readJsonBody } from '../http/request/json-body.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import type { Route } from '../http/route.ts';
import { withdraw } from './carry-out.ts';
import { refusing } from './command-subject.ts';
import { operators } from './operator-gate.ts';

export function withdrawRequestRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const act: RequestHandler = async (request, response) => {
    const { reason } = parseRequest(withdrawBody, request.body);
    const actor = { actor: personOf(response).actor, requestId: exchangeOf(response).requestId, reason };
    const id = String(request.params.requestId).slice(0, 64);
    sendResource(response, 200, await withdraw({ pool }, id, actor).catch(refusing));
  };
  return {
    method: 'post',
    path: '/v1/operations/requests/:requestId/withdraw',
    handlers: [...operators(gate, 'act'), readJsonBody, act],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'withdrawOperation',
  tag: 'Operations',
  summary: 'Withdraw a waiting command',
  description:
    'Withdraws a command that waits for a second person, so that another can be made: by its requester, or ' +
    'by a colleague who rejects it. For `platform` people. A confirmed command cannot be withdrawn.',
  security: 'person',
  path: z.object({ requestId: z.string().meta({ example: 'ap_opr_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8' }) }),
  body: {
    schema: withdrawBody,
    example: { reason: 'the bank has answered in the meantime' },
    required: true,
  },
  answers: {
    200: { description: 'Withdrawn.', schema: commandAnswerBody, example: exampleCommandAnswer },
  },
  errors: ['operation_refused'],
};
