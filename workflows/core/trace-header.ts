/**
 * Forwards the latest message's trace header, unchanged, to the activities that it causes: an attempt's calls belong to
 * the click that requested it, not to the request that created the session. A workflow creates no spans and awaits
 * nothing here, so histories without a trace replay unchanged. Temporal's own interceptors await one more promise,
 * which breaks the replay of histories recorded without them.
 */
import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';

/** The header name of Temporal's interceptors for OpenTelemetry. */
export const TRACE_HEADER = '_tracer-data';

export function interceptors(): WorkflowInterceptors {
  let latest: Headers = {};
  const keep = ({ headers }: { readonly headers: Headers }) => {
    const header = headers[TRACE_HEADER];
    if (header) latest = { [TRACE_HEADER]: header };
  };
  const withTrace = <Input extends { readonly headers: Headers }>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, ...latest },
  });
  return {
    inbound: [
      {
        execute(input, next) {
          keep(input);
          return next(input);
        },
        handleUpdate(input, next) {
          keep(input);
          return next(input);
        },
        handleSignal(input, next) {
          keep(input);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        scheduleLocalActivity: (input, next) => next(withTrace(input)),
      },
    ],
  };
}
