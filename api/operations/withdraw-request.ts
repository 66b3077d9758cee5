/** POST /v1/operations/requests/:requestId/withdraw: withdraws a command that waits for a second person. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { commandAnswerBody, withdrawBody } from '../../contract/operations/commands.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { pathId } from '../http/request/path-id.ts';
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
    const id = pathId(request, 'requestId');
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
  answers: { 200: { description: 'Withdrawn.', ...commandAnswerBody } },
  errors: ['operation_refused'],
};
