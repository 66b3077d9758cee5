/** The messages to Temporal, with a failpoint before and after each. */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import * as real from '../../../platform/temporal/traced-calls.ts';
import { failpoint } from './failpoint.ts';
import { afterMessage, beforeMessage } from './points.ts';

async function around<Result>(name: string, send: () => Promise<Result>): Promise<Result> {
  await failpoint(beforeMessage(name));
  const result = await send();
  await failpoint(afterMessage(name));
  return result;
}

export const tracedCalls: WorkflowClientInterceptor = {
  ...real.tracedCalls,
  start: (input, next) => around(`start ${input.workflowType}`, () => next(input)),
  startUpdate: (input, next) => around(`update ${input.updateName}`, () => next(input)),
  signal: (input, next) => around(`signal ${input.signalName}`, () => next(input)),
  signalWithStart: (input, next) => around(`start ${input.workflowType} by signal`, () => next(input)),
};
