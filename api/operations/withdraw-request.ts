/** POST /v1/operations/requests/:requestId/withdraw: withdraws a command that waits for a second person. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { commandAnswerBody, exampleCommandAnswer, withdrawBody } from '../../contract/operations/commands.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { refusing } from './command-subject.ts';
import { operatorRoute } from './operator-gate.ts';
import { withdraw } from './second-person.ts';

export const withdrawRequestRoute = operatorRoute(({ pool }) => ({
  method: 'post',
  path: '/v1/operations/requests/:requestId/withdraw',
  may: 'act',
  describe,
  answer: (request, by) => {
    const { reason } = parseRequest(withdrawBody, request.body);
    const id = String(request.params.requestId).slice(0, 64);
    return withdraw({ pool }, id, { ...by, reason }).catch(refusing);
  },
}));

const describe: OperationDescription = {
  operationId: 'withdrawOperation',
  tag: 'Operations',
  summary: 'Withdraw a waiting command',
  description:
    'Withdraws a command that waits for a second person, so that another can be made: by its requester, or ' +
    'by a colleague who rejects it. For `platform` people. A confirmed command cannot be withdrawn.',
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
