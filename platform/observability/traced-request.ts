/** The span of an HTTP request: the root of its trace. A client's `traceparent` is ignored. */
import { context, SpanStatusCode } from '@opentelemetry/api';
import { beginSpan, isTracing, noteFlow, SpanKind } from './spans.ts';

export interface TracedRequest {
  run(next: () => void): void;
  end(answered: {
    readonly route: string;
    readonly status: number;
    readonly flowId: string | undefined;
  }): void;
}

/** Null if nothing is traced. */
export function traceRequest(method: string, requestId: string): TracedRequest | null {
  if (!isTracing()) return null;
  const attributes = { 'http.request.method': method };
  const { span, within } = beginSpan(method, {
    kind: SpanKind.SERVER,
    attributes,
    parent: null,
    ids: { requestId },
  });
  return {
    run: (next) => context.with(within, next),
    end({ route, status, flowId }) {
      if (flowId) context.with(within, noteFlow, undefined, flowId);
      if (route) span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
