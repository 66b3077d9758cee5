/** POST /v1/operations/requests/:requestId/confirm: confirmation by a second person. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { commandAnswerBody } from '../../contract/operations/commands.ts';
import { pathId } from '../http/request/path-id.ts';
import { operateDepsOf, refusing } from './command-subject.ts';
import { operatorRoute } from './operator-gate.ts';
import { confirm } from './second-person.ts';

export const confirmRequestRoute = operatorRoute((context) => ({
  method: 'post',
  path: '/v1/operations/requests/:requestId/confirm',
  may: 'act',
  describe,
  answer: (request, actor) => {
    const id = pathId(request, 'requestId');
    return confirm(operateDepsOf(context), id, actor).catch(refusing);
  },
}));

const describe: OperationDescription = {
  operationId: 'confirmOperation',
  tag: 'Operations',
  summary: 'Confirm a colleague’s command',
  description:
    'Executes a command that waits for a second person. For `platform` people other than the requester, within a ' +
    'day. The audit log names both.',
  answers: {
    200: { description: 'Done, or stored for its workflow if `done` is false.', ...commandAnswerBody },
  },
  errors: ['operation_refused'],
};
