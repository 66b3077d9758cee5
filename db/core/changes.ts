/**
 * Change notifications for a checkout or an endpoint's outbox: one LISTEN connection per process, opened with the first
 * subscriber and closed soon after the last. A notification is a hint to read again. Notifications sent while the
 * connection is down are lost, so every subscriber is notified after a reconnect.
 */
import pg from 'pg';
import { connectionOf } from './connection.ts';

const RECONNECT_MS = [100, 250, 500, 1_000, 2_000];
const IDLE_MS = 2_000;

export interface Changes {
  /** @returns a function that unsubscribes */
  subscribe(id: string, listener: () => void): () => void;
}

/** The channel; the payload is an id. */
type Channel = 'checkout_changed' | 'delivery_due';

export interface ChangesOptions {
  readonly databaseUrl: string;
  readonly channel: Channel;
  /** Reconnects automatically; `onLost` gets the error of each lost connection. */
  readonly onLost: (error: Error) => void;
}

export function listenForChanges({ databaseUrl, channel, onLost }: ChangesOptions): Changes {
  const listeners = new Map<string, Set<() => void>>();
  let client: pg.Client | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let failures = 0;

  async function connect(): Promise<void> {
    const mine = new pg.Client({
      ...connectionOf(databaseUrl),
      keepAlive: true,
    });
    client = mine;
    const lost = (error: Error) => {
      if (client !== mine) return;
      client = undefined;
      onLost(error);
      void mine.end().catch(() => {});
      const delay = RECONNECT_MS[Math.min(failures++, RECONNECT_MS.length - 1)];
      setTimeout(() => listeners.size > 0 && !client && void connect(), delay).unref();
    };
    mine.on('error', lost);
    mine.on('end', () => lost(new Error('LISTEN connection closed')));
    mine.on('notification', ({ payload }) => tell(listeners.get(payload ?? '')));
    try {
      await mine.connect();
      // An open LISTEN connection does not keep the process alive.
      (mine as pg.Client & { unref(): void }).unref();
      await mine.query(`listen ${channel}`);
      failures = 0;
      for (const each of listeners.values()) tell(each);
    } catch (error) {
      lost(error as Error);
    }
  }

  function disconnect(): void {
    const mine = client;
    client = undefined;
    void mine?.end().catch(() => {});
  }

  return {
    subscribe(id, listener) {
      clearTimeout(idleTimer);
      const mine = listeners.get(id) ?? new Set();
      listeners.set(id, mine.add(listener));
      if (!client) void connect();
      return () => {
        mine.delete(listener);
        if (mine.size === 0 && listeners.get(id) === mine) listeners.delete(id);
        if (listeners.size > 0) return;
        clearTimeout(idleTimer);
        idleTimer = setTimeout(() => listeners.size === 0 && disconnect(), IDLE_MS).unref();
      };
    },
  };
}

function tell(listeners: Iterable<() => void> | undefined): void {
  for (const listener of listeners ?? []) listener();
}
