/** Sends spans to an OpenTelemetry collector. Its libraries are loaded only if an endpoint is configured. */
import { context, DiagLogLevel, diag, trace } from '@opentelemetry/api';
import type { Log } from './logger.ts';
import { switchTracing } from './spans.ts';

export interface TracingOptions {
  readonly service: string;
  /** An OTLP endpoint over HTTP, without `/v1/traces`; if absent, nothing is traced. */
  readonly endpoint: string | undefined;
  /** The share of requests that is traced. */
  readonly ratio: number;
  readonly logger: Pick<Log, 'warn'>;
}

export interface Tracing {
  /** Flushes buffered spans, within a short time limit. */
  stop(): Promise<void>;
}

const LAST_SPANS_WITHIN_MS = 1_000;
/** Time limit including retries; spans that the collector has not accepted by then are dropped. */
const EXPORT_WITHIN_MS = 2_000;

export async function startTracing({ service, endpoint, ratio, logger }: TracingOptions): Promise<Tracing> {
  if (!endpoint) return { async stop() {} };
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
    ]);
  warnOnce(logger, endpoint);
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_WITHIN_MS });
  const root = new sdk.TraceIdRatioBasedSampler(ratio);
  const processor = new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: new sdk.ParentBasedSampler({ root, remoteParentSampled: root }),
    spanProcessors: [processor],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  switchTracing(true);
  return {
    async stop() {
      switchTracing(false);
      const late = new Promise((resolve) => setTimeout(resolve, LAST_SPANS_WITHIN_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}

/** Warns of an unreachable collector once, instead of with every batch. */
function warnOnce(logger: TracingOptions['logger'], endpoint: string): void {
  let warned = false;
  const warn = (reason: string) => {
    if (!warned) logger.warn({ endpoint, err: reason.slice(0, 200) }, 'traces are not exported');
    warned = true;
  };
  const quiet = () => {};
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
