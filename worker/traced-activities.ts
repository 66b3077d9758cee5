/** A span for each run of an activity, in the trace of the request that caused it. */
import type { Context } from '@temporalio/activity';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { type Carrier, carrierOfRun, inSpan, SpanKind } from '../platform/observability/spans.ts';
import { TRACE_HEADER } from '../workflows/core/trace-header.ts';

/** Activities without a span: a drain serves events of many requests, and each delivery is in its own event's trace. */
const SERVES_MANY = new Set(['deliverDue']);

export function tracedActivities({ info }: Context): ActivityInterceptors {
  return {
    inbound: {
      execute(input, next) {
        const { activityType, workflowExecution } = info;
        if (SERVES_MANY.has(activityType)) return next(input);
        const flowId = workflowExecution?.workflowId;
        const runId = workflowExecution?.runId ?? '';
        const options = {
          kind: SpanKind.CONSUMER,
          parent: carrierIn(input.headers) ?? carrierOfRun(runId),
          ids: { flowId },
          attributes: {
            'temporal.workflow.id': flowId ?? '',
            'temporal.run.id': runId,
            'temporal.attempt': info.attempt,
          },
        };
        return inSpan(`activity ${activityType}`, options, () => next(input));
      },
    },
  };
}

function carrierIn(headers: Headers): Carrier | null {
  const header = headers[TRACE_HEADER];
  return header ? defaultPayloadConverter.fromPayload<Carrier>(header) : null;
}
