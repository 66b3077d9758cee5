/** Stops a server without dropping requests in progress. */
import type { Server, ServerResponse } from 'node:http';
import { isEventStream } from './request-log.ts';

/** How often idle connections are closed: `close()` misses keep-alive connections that become idle later. */
const IDLE_EVERY_MS = 50;

/**
 * @returns a function that stops the server: new connections are refused, event streams end immediately
 *   because their pages reconnect automatically, and requests have `graceMs` to be answered
 */
export function prepareStop(server: Server): (graceMs: number) => Promise<void> {
  const open = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
  });

  return async (graceMs) => {
    const closed = new Promise((resolve) => server.close(resolve));
    const tidy = () => {
      for (const response of open) if (isEventStream(response)) response.end();
      server.closeIdleConnections();
    };
    tidy();
    const tidying = setInterval(tidy, IDLE_EVERY_MS);
    const grace = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(tidying);
    clearTimeout(grace);
  };
}
