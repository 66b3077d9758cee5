/** Every verified delivery, in order of arrival, stored as JSON lines to survive a restart. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The fields that the shop reads; the others are stored unchanged. */
export const shopEvent = z.looseObject({
  id: z.string(),
  type: z.string(),
  occurred_at: z.string(),
  merchant_id: z.string(),
});
type ShopEvent = z.infer<typeof shopEvent>;

const received = z.object({
  receivedAt: z.string(),
  /** From `Service-Delivery-Attempt`; 1 is the first. */
  deliveryAttempt: z.number(),
  verified: z.literal(true),
  event: shopEvent,
});
export type ReceivedEvent = z.infer<typeof received>;

export interface ReceivedEvents {
  all(): readonly ReceivedEvent[];
  add(event: ShopEvent, deliveryAttempt: number): void;
  /** @returns a function that unsubscribes */
  subscribe(listener: (event: ReceivedEvent) => void): () => void;
}

export function keepReceivedEvents(dataDir: string | undefined): ReceivedEvents {
  const file = dataDir && join(dataDir, 'shop-events.jsonl');
  if (dataDir) mkdirSync(dataDir, { recursive: true });
  const events = file ? readLines(file) : [];
  const listeners = new Set<(event: ReceivedEvent) => void>();
  return {
    all: () => events,
    add(event, deliveryAttempt) {
      const entry: ReceivedEvent = {
        receivedAt: new Date().toISOString(),
        deliveryAttempt,
        verified: true,
        event,
      };
      // Written before the 2xx: an acknowledged event survives a crash.
      if (file) appendFileSync(file, `${JSON.stringify(entry)}\n`);
      events.push(entry);
      for (const tell of listeners) tell(entry);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Skips a last line that a crash cut off: its event was not acknowledged and will be redelivered. */
function readLines(file: string): ReceivedEvent[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n');
  return text.split('\n').flatMap((line) => {
    const parsed = received.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
