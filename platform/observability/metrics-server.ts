/**
 * Serves this process's metrics as Prometheus text, on a separate port. Failures here do not affect the service: a port
 * that is in use is only logged, once.
 */
import { createServer, type Server } from 'node:http';
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { gaugeProducer } from './gauges.ts';
import type { Log } from './logger.ts';
import { labelMerchants } from './metrics.ts';

export interface MetricsOptions {
  readonly service: string;
  readonly host: string;
  /** 0 disables metrics. */
  readonly port: number;
  readonly perMerchant: boolean;
  readonly logger: Pick<Log, 'info' | 'error'>;
  /** Where Temporal's SDK serves its own metrics, which are appended. */
  readonly sdkUrl?: string | undefined;
}

export interface MetricsServer {
  close(): void;
}

/** Call before instruments are created. */
export function serveMetrics(options: MetricsOptions): MetricsServer {
  const { service, host, port, perMerchant, logger, sdkUrl } = options;
  if (port === 0) return { close() {} };
  const reader = new PrometheusExporter({ preventServerStart: true, metricProducers: [gaugeProducer()] });
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const resource = resourceFromAttributes({ 'service.name': service });
  metrics.setGlobalMeterProvider(new MeterProvider({ resource, readers: [reader] }));
  labelMerchants(perMerchant);

  async function text(): Promise<string> {
    const [collected, sdk] = await Promise.all([reader.collect(), sdkMetrics(sdkUrl)]);
    return serializer.serialize(withUnits(collected.resourceMetrics)) + sdk;
  }

  const server: Server = createServer(async (request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end();
    try {
      const body = await text();
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body);
    } catch (err) {
      logger.error({ err }, 'metrics could not be collected');
      response.writeHead(500).end();
    }
  });
  server.on('error', (err) => logger.error({ err, host, port }, 'metrics disabled: the port cannot be used'));
  server.listen(port, host, () => logger.info({ host, port }, 'metrics at /metrics'));
  server.unref();
  return { close: () => server.close().closeAllConnections() };
}

/** Returns an empty text if the SDK does not answer; the scrape then shows only the service's own metrics. */
async function sdkMetrics(url: string | undefined): Promise<string> {
  if (!url) return '';
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    return answer.ok ? await answer.text() : '';
  } catch {
    return '';
  }
}

const SUFFIXES: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes', '1': 'ratio' };

/**
 * Adds the unit to Prometheus names, by OpenTelemetry's own rule for this format, which the exporter does not
 * apply.
 */
function withUnits(collected: ResourceMetrics): ResourceMetrics {
  return {
    ...collected,
    scopeMetrics: collected.scopeMetrics.map((scope) => ({
      ...scope,
      metrics: scope.metrics.map((metric) => {
        const { descriptor } = metric;
        const suffix = SUFFIXES[descriptor.unit];
        if (!suffix) return metric;
        return { ...metric, descriptor: { ...descriptor, name: `${descriptor.name}.${suffix}` } };
      }),
    })),
  };
}
