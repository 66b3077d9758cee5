/**
 * Passes a request's trace to the workflows that it starts, updates and signals, in the header and format of
 * Temporal's own interceptors for OpenTelemetry. Without tracing, it adds nothing.
 */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { TRACE_HEADER } from '../../workflows/core/trace-header.ts';
import { carrierOfActive, inSpan, isTracing, noteFlow, SpanKind } from '../observability/spans.ts';

export const tracedCalls: WorkflowClientInterceptor = {
  start: (input, next) =>
    traced(`start ${input.workflowType}`, input.options.workflowId, input.headers, (headers) =>
      next({ ...input, headers }),
    ),
  startUpdate: (input, next) =>
    traced(`update ${input.updateName}`, input.workflowExecution.workflowId, input.headers, (headers) =>
      next({ ...input, headers }),
    ),
  signal: (input, next) =>
    traced(`signal ${input.signalName}`, input.workflowExecution.workflowId, input.headers, (headers) =>
      next({ ...input, headers }),
    ),
  signalWithStart: (input, next) =>
    traced(`signal ${input.signalName}`, input.options.workflowId, input.headers, (headers) =>
      next({ ...input, headers }),
    ),
};

function traced<Result>(
  name: string,
  workflowId: string,
  given: Headers,
  send: (headers: Headers) => Promise<Result>,
): Promise<Result> {
  if (!isTracing() || !carrierOfActive()) return send(given);
  noteFlow(workflowId);
  const options = { kind: SpanKind.PRODUCER, attributes: { 'temporal.workflow.id': workflowId } };
  return inSpan(name, options, () => {
    const carrier = carrierOfActive();
    return send({ ...given, ...(carrier && { [TRACE_HEADER]: defaultPayloadConverter.toPayload(carrier) }) });
  });
}
