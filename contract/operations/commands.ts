/** Operators' commands, the same for `npm run ops` and `POST /v1/operations/subjects/:id/commands`. */
import { z } from 'zod';
import { single } from '../core/answers.ts';
import { pastInstant } from '../core/fields.ts';
import { requiredText } from '../core/text.ts';
import { KINDS_OF_INCIDENT } from './incident-kinds.ts';

/** Free text for the audit log. It must contain no personal data, such as buyers' names. */
const words = requiredText(2_000);
const reason = words.meta({ description: 'The reason, for the audit log. Do not include personal data.' });
const evidence = words.meta({ description: 'The evidence, for example from the rail’s dashboard.' });

export const operatorCommand = z.discriminatedUnion('command', [
  z
    .object({
      command: z.literal('resolve'),
      outcome: z.enum(['succeeded', 'failed']),
      reason,
      evidence,
    })
    .meta({ id: 'CommandResolve' }),
  z.object({ command: z.literal('returned'), reason, evidence }).meta({ id: 'CommandReturned' }),
  z
    .object({
      command: z.literal('dispute_close'),
      status: z.enum(['won', 'lost']),
      reason,
      evidence,
    })
    .meta({ id: 'CommandDisputeClose' }),
  z.object({ command: z.literal('credit'), reason, evidence }).meta({ id: 'CommandCredit' }),
  z.object({ command: z.literal('ask') }).meta({ id: 'CommandAsk' }),
  z.object({ command: z.literal('pause_rail'), reason }).meta({ id: 'CommandPauseRail' }),
  z.object({ command: z.literal('resume_rail'), reason }).meta({ id: 'CommandResumeRail' }),
  z.object({ command: z.literal('stop_merchant'), reason }).meta({ id: 'CommandStopMerchant' }),
  z.object({ command: z.literal('start_merchant'), reason }).meta({ id: 'CommandStartMerchant' }),
  z.object({ command: z.literal('endpoint_pause'), reason }).meta({ id: 'CommandEndpointPause' }),
  z.object({ command: z.literal('endpoint_resume'), reason }).meta({ id: 'CommandEndpointResume' }),
  z
    .object({ command: z.literal('endpoint_redeliver'), event_id: requiredText(64), reason })
    .meta({ id: 'CommandEndpointRedeliver' }),
  z
    .object({ command: z.literal('endpoint_recover'), since: pastInstant, reason })
    .meta({ id: 'CommandEndpointRecover' }),
  z
    .object({ command: z.literal('incident_close'), kind: z.enum(KINDS_OF_INCIDENT), reason })
    .meta({ id: 'CommandIncidentClose' }),
]);
/** The names of all commands. */
export const OPERATOR_COMMANDS = operatorCommand.options.map(({ shape }) => shape.command.value);
export type OperatorCommand = z.infer<typeof operatorCommand>;

export const withdrawBody = z.object({ reason }).meta({ id: 'WithdrawOperation' });

const commandAnswer = z.object({
  done: z.boolean().meta({ description: 'False if it waits for a second person, or for its workflow.' }),
  message: z.string().meta({ description: 'What was done, or what to do next.' }),
  waiting_request: z
    .string()
    .nullable()
    .meta({ description: 'The request that a second person must confirm.' }),
});

export type CommandAnswer = z.infer<typeof commandAnswer>;

const exampleCommandAnswer = {
  done: true,
  message: 'acct_harbour accepts new attempts.',
  waiting_request: null,
};

export const commandAnswerBody = single(commandAnswer, exampleCommandAnswer, 'OperatorCommandAnswer');
