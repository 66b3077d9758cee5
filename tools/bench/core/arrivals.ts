/**
 * Observes a session's progress without asking the service: the change notifications that the service sends
 * for open pages, and the shop's stream of verified webhooks.
 */
import pg from 'pg';
import { request } from 'undici';
import type { Place } from './place.ts';

type Kind = 'settled' | 'received';

export interface Arrivals {
  /** Call it before causing the change. */
  next(kind: Kind, sessionId: string): Promise<void>;
  end(): Promise<void>;
}

/** A session without a challenge changes twice: to `processing`, then to `succeeded`. */
const CHANGES_OF_A_PURCHASE = 2;

export async function watchArrivals({ dev, databases }: Place): Promise<Arrivals> {
  const waiting = new Map<string, () => void>();
  const changes = new Map<string, number>();
  const tell = (kind: Kind, id: string) => {
    const key = `${kind} ${id}`;
    waiting.get(key)?.();
    waiting.delete(key);
  };

  const listener = new pg.Client({ connectionString: databases.service });
  // Without a listener, a lost connection would end the process before its cause is printed.
  listener.on('error', () => {});
  listener.on('notification', ({ payload: id = '' }) => {
    const count = (changes.get(id) ?? 0) + 1;
    changes.set(id, count);
    if (count < CHANGES_OF_A_PURCHASE) return;
    changes.delete(id);
    tell('settled', id);
  });
  await listener.connect();
  await listener.query('listen checkout_changed');

  const stopping = new AbortController();
  const stream = await request(`${dev.shopUrl}/events/stream`, { signal: stopping.signal, bodyTimeout: 0 });
  const reading = (async () => {
    let rest = '';
    for await (const chunk of stream.body) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const { event } = line.startsWith('data: ') ? JSON.parse(line.slice(6)) : {};
        if (event?.type === 'payment.succeeded') tell('received', event.checkout.id);
      }
    }
    // If the stream fails, a receipt is missed, and waiting for it ends the benchmark after a minute.
  })().catch(() => {});

  return {
    next: (kind, id) => new Promise((resolve) => waiting.set(`${kind} ${id}`, resolve)),
    async end() {
      stopping.abort();
      await reading;
      await listener.end();
    },
  };
}
