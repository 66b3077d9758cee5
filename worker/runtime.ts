/** Temporal's native runtime: one per process, installed before anything else of the SDK. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { DefaultLogger, Runtime, type RuntimeOptions } from '@temporalio/worker';
import type { Logger } from 'pino';

/** @returns the URL of the SDK's own metrics, on the loopback address; undefined if they are off or unavailable */
export async function installRuntime(
  logger: Logger,
  { withMetrics }: { readonly withMetrics: boolean },
): Promise<string | undefined> {
  const options: RuntimeOptions = {
    shutdownSignals: [],
    logger: loggerOfSdk(logger),
  };
  const bindAddress = withMetrics ? `127.0.0.1:${await freePort()}` : null;
  if (bindAddress) {
    const prometheus = {
      bindAddress,
      countersTotalSuffix: true,
      unitSuffix: true,
      useSecondsForDurations: true,
    };
    try {
      Runtime.install({ ...options, telemetryOptions: { metrics: { prometheus } } });
      return `http://${bindAddress}/metrics`;
    } catch (err) {
      logger.error({ err, bindAddress }, 'Temporal SDK metrics disabled: their port cannot be used');
    }
  }
  Runtime.install(options);
  return undefined;
}

/** Passes the SDK's log on. Errors go under `err`, which leaves out text that may quote a row. */
export function loggerOfSdk(logger: Logger): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta = {} }) => {
    const { error, ...rest } = meta;
    const fields = { meta: rest, ...(error !== undefined && { err: error }) };
    logger[level === 'ERROR' ? 'error' : 'warn'](fields, message);
  });
}

/**
 * The SDK does not accept port 0. Another program may take this port before the SDK does; then its metrics
 * are missing.
 */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
