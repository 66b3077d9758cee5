/** A client of Temporal that connects when it is first used, so that the API starts while Temporal is down. */
import { Client, Connection, type ConnectionOptions } from '@temporalio/client';

export interface TemporalOptions {
  readonly address: string;
  readonly namespace: string;
  /** Absent: a plain connection. */
  readonly tls?: NonNullable<ConnectionOptions['tls']>;
  /** Secret. */
  readonly apiKey?: string;
  /** Headers of every call. */
  readonly metadata?: NonNullable<ConnectionOptions['metadata']>;
}

/** gRPC's own back-off grows to two minutes: too long to wait for a server that is back. */
export const QUICK_RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

export function openTemporal({ namespace, ...server }: TemporalOptions): Client {
  const connection = Connection.lazy({
    ...server,
    channelArgs: QUICK_RECONNECT,
  });
  return new Client({ connection, namespace });
}
