/** A Temporal client that connects on first use, so that the API starts while Temporal is down. */
import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import { tracedCalls } from './traced-calls.ts';

export interface TemporalOptions {
  readonly address: string;
  readonly namespace: string;
  /** If absent, the connection is not encrypted. */
  readonly tls?: NonNullable<ConnectionOptions['tls']>;
  readonly apiKey?: string;
  /** Sent with every call. */
  readonly metadata?: NonNullable<ConnectionOptions['metadata']>;
}

/** gRPC's default back-off grows to two minutes, too long once the server is back. */
export const QUICK_RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

export function openTemporal({ namespace, ...server }: TemporalOptions): Client {
  const connection = Connection.lazy({
    ...server,
    channelArgs: QUICK_RECONNECT,
  });
  return new Client({ connection, namespace, interceptors: { workflow: [tracedCalls] } });
}

/** Shorter than the four seconds that a scrape waits. */
export const ANSWERS_WITHIN_MS = 3_000;

/**
 * Reads the namespace, because Temporal answers simpler calls even while its own database is down.
 * @throws Error without a response within three seconds
 */
export function askTemporal({ connection, options: { namespace } }: Client): Promise<unknown> {
  return connection.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
    connection.workflowService.describeNamespace({ namespace }),
  );
}
