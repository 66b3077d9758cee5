/** Keeps the latest traces that arrive over OTLP (JSON over HTTP). */

const TRACES_KEPT = 100;

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The part of OTLP's ExportTraceServiceRequest that is read. */
export interface Export {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly Attribute[] };
    readonly scopeSpans?: readonly {
      readonly spans?: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly attributes?: readonly Attribute[];
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

export interface Span {
  readonly service: string;
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Trace {
  readonly traceId: string;
  readonly spans: readonly Span[];
}

export class Traces {
  readonly #spans = new Map<string, Span[]>();

  add({ resourceSpans = [] }: Export): void {
    for (const { resource, scopeSpans = [] } of resourceSpans) {
      const service = String(valuesOf(resource?.attributes)['service.name'] ?? '');
      for (const span of scopeSpans.flatMap(({ spans = [] }) => spans)) {
        const known = this.#spans.get(span.traceId) ?? [];
        known.push({
          service,
          name: span.name,
          spanId: span.spanId,
          parentSpanId: span.parentSpanId || null,
          startMs: Number(span.startTimeUnixNano) / 1e6,
          endMs: Number(span.endTimeUnixNano) / 1e6,
          failed: span.status?.code === 2,
          attributes: valuesOf(span.attributes),
        });
        // Moves the trace to the end of the map, which is ordered by the latest change.
        this.#spans.delete(span.traceId);
        this.#spans.set(span.traceId, known);
      }
    }
    for (const traceId of this.#spans.keys()) {
      if (this.#spans.size <= TRACES_KEPT) break;
      this.#spans.delete(traceId);
    }
  }

  /** Newest first. */
  list(): readonly Trace[] {
    return [...this.#spans].reverse().map(([traceId, spans]) => ({
      traceId,
      spans: spans.toSorted((a, b) => a.startMs - b.startMs),
    }));
  }
}

function valuesOf(attributes: readonly Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
