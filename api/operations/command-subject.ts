/** POST /v1/operations/subjects/:id/commands: the commands of `npm run ops`, sent by a person with a token. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { commandAnswerBody, operatorCommand } from '../../contract/operations/commands.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { carryOut } from './carry-out.ts';
import type { OperateDeps } from './operate-deps.ts';
import { operatorRoute } from './operator-gate.ts';
import { OperationRefused } from './refused.ts';
import { subjectOfRequest } from './subject-of-request.ts';

/** Shorter than the API's answer deadline. */
const TIMEOUT_MS = 8_000;

export function operateDepsOf({ pool, temporal, config }: ApiContext): OperateDeps {
  const { session, operator } = config;
  const { secondPersonAbove } = operator;
  return { pool, client: temporal, session, secondPersonAbove, timeoutMs: TIMEOUT_MS };
}

export const commandSubjectRoute = operatorRoute((context) => ({
  method: 'post',
  path: '/v1/operations/subjects/:id/commands',
  may: 'act',
  describe,
  answer: async (request, actor, response) => {
    const command = parseRequest(operatorCommand, request.body);
    const found = await subjectOfRequest(context, request, response);
    const answer = await carryOut(operateDepsOf(context), found, command, actor).catch(refusing);
    if (!answer.done) response.status(202);
    return answer;
  },
}));

/** @throws ApiError 409 `operation_refused`, whose message states what to do */
export function refusing(error: unknown): never {
  if (error instanceof OperationRefused) throw new ApiError('operation_refused', { message: error.message });
  throw error;
}

const describe: OperationDescription = {
  operationId: 'commandSubject',
  tag: 'Operations',
  summary: 'Execute an operator’s command',
  description:
    'For `platform` people. The same as `npm run ops -- <command>`: `resolve` settles a session, subscription or refund ' +
    'in doubt (the rail is asked once more, and never contradicted); `returned` and `dispute_close` record facts that the rail ' +
    'does not show; `credit` issues a credit note for an uncollectible invoice; `ask` asks the rail now; `pause_rail` and `resume_rail` stop and allow new attempts at a rail account, ' +
    'or at a whole rail, whose id is `<rail>:<environment>`; ' +
    '`stop_merchant` refuses a merchant’s keys until `start_merchant`; the `endpoint_` commands act on a webhook endpoint; `incident_close` ' +
    'closes an incident whose end the service cannot detect. The audit log names the token’s person. For an amount above the ' +
    'configured one, the response is 202 with `waiting_request`, which another person must confirm.',
  body: {
    schema: operatorCommand,
    example: { command: 'resume_rail', reason: 'the rail has announced its recovery' },
    required: true,
  },
  answers: {
    200: { description: 'Done.', ...commandAnswerBody },
    202: { description: 'Stored: waiting for a second person, or for its workflow.', ...commandAnswerBody },
  },
  errors: ['operation_subject_not_found', 'operation_refused'],
};
