/**
 * Spans, on OpenTelemetry's API. Nothing is recorded or passed on before `startTracing` has run. A span holds ids,
 * kinds and codes, never an address, a name or a text that a buyer, a merchant or a rail wrote.
 */
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

export { SpanKind };

/** Ids that lead from a span to the logs (request id) and to Temporal UI (flow id, which is the workflow's). */
interface Ids {
  readonly requestId?: string | undefined;
  flowId?: string | undefined;
}

/** Passed between the service's own processes: in Temporal's headers, and in an event's row. */
export interface Carrier {
  /** W3C Trace Context. */
  readonly traceparent: string;
  readonly requestId?: string | undefined;
  readonly flowId?: string | undefined;
}

const IDS = createContextKey('ids of this request or activity');
let on = false;

/** Called by platform/observability/trace-export.ts once a provider exists. */
export function switchTracing(to: boolean): void {
  on = to;
}

export const isTracing = (): boolean => on;

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** The parent; by default the active span. Null begins a new trace. */
  readonly parent?: Carrier | null;
  readonly ids?: Ids;
}

/** Runs the work in a span that ends with it. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  if (!on) return work(null);
  const { span, within } = beginSpan(name, options);
  try {
    return await context.with(within, work, undefined, span);
  } catch (error) {
    // Records only the name: messages may contain a person's input.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}

/** For spans that are ended in a callback. */
export function beginSpan(name: string, { kind, attributes, parent, ids }: SpanOptions) {
  const outer = parent === undefined ? context.active() : contextOf(parent);
  const known: Ids = { ...idsIn(outer), ...ids };
  const within = outer.setValue(IDS, known);
  const span = trace
    .getTracer('hosted-checkout')
    .startSpan(
      name,
      { kind: kind ?? SpanKind.INTERNAL, attributes: { ...attributes, ...attributesOf(known) } },
      within,
    );
  return { span, within: trace.setSpan(within, span) };
}

/** Sets the flow id, once known, on the active span and on later spans of this request. */
export function noteFlow(flowId: string): void {
  const ids = idsIn(context.active());
  if (!on || !ids || ids.flowId) return;
  ids.flowId = flowId;
  trace.getActiveSpan()?.setAttribute('checkout.flow.id', flowId);
}

/** Null if nothing is traced. */
export function carrierOfActive(): Carrier | null {
  const span = on ? trace.getActiveSpan()?.spanContext() : undefined;
  if (!span) return null;
  const flags = span.traceFlags.toString(16).padStart(2, '0');
  return { ...idsIn(context.active()), traceparent: `00-${span.traceId}-${span.spanId}-${flags}` };
}

/** Trace ids for every log line. */
export function traceOfLog(): object {
  const span = on ? trace.getActiveSpan()?.spanContext() : undefined;
  return span ? { traceId: span.traceId, spanId: span.spanId } : {};
}

/** One trace for all activities of a run that no request caused: a renewal, a sweep. */
export function carrierOfRun(runId: string): Carrier {
  const traceId = runId.replaceAll('-', '');
  return { traceparent: `00-${traceId}-${traceId.slice(16)}-01` };
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function contextOf(parent: Carrier | null): Context {
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(parent?.traceparent ?? '') ?? [];
  if (!parent || !traceId || !spanId) return ROOT_CONTEXT;
  const { requestId, flowId } = parent;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace
    .setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
    .setValue(IDS, { requestId, flowId });
}

function idsIn(within: Context): Ids | undefined {
  return within.getValue(IDS) as Ids | undefined;
}

function attributesOf({ requestId, flowId }: Ids): Attributes {
  return {
    ...(requestId && { 'checkout.request.id': requestId }),
    ...(flowId && { 'checkout.flow.id': flowId }),
  };
}
