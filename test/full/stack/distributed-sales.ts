/** A merchant's server that buys on a stack of several processes, and the invariants of its sales. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { EventSource } from 'undici';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import type { LedgerEntry } from '../../../sandbox/rail/db/ledger.ts';
import type { DevJson } from '../../../sandbox/stack/dev-json.ts';
import { eventually } from '../../support/core/eventually.ts';

const TIMEOUT_MS = 60_000;
const APPROVED = '4242424242424242';
const DECLINED = '4000000000000002';

/** Merchant whose product is bought; by default the demo merchant, whose shop receives the events. */
interface Shop {
  readonly apiKey: string;
  readonly productId: string | undefined;
}

export interface Sales {
  /**
   * Buys as a merchant and a buyer do, repeating requests that failed.
   * @returns the session's id, which is paid
   */
  buy(shop?: Shop): Promise<string>;
  /**
   * A session with a declined attempt, so that its workflow has begun. @returns a function that pays it with another
   * card
   */
  begin(): Promise<() => Promise<string>>;
  /** A buyer's page, which has received its session over its event stream. */
  openPage(): Promise<OpenPage>;
  /** Resolves when that number of further purchases has begun. */
  purchases(count: number): Promise<void>;
  /** Each session has one approved charge at the rail, and the shop has one `payment.succeeded` for each. */
  chargedOnceEach(sessionIds: readonly string[]): Promise<void>;
}

interface OpenPage {
  readonly sessionId: string;
  /** Pays, and resolves once the stream has reported it. */
  payAndSee(): Promise<void>;
  /** How often the stream was opened: it reopens each time it is lost, as in a browser. */
  openings(): number;
  close(): void;
}

export function salesOn(dev: DevJson): Sales {
  let begun = 0;

  async function pay(hostedUrl: string, attempts: number): Promise<void> {
    begun += 1;
    const { report, problem } = await payAsBuyer({ hostedUrl, card: APPROVED });
    expect({ ...report, problem }).toMatchObject({ state: 'succeeded', attempts, problem: null });
  }

  return {
    async buy(shop) {
      const { id, hostedUrl } = await create(dev, shop);
      await pay(hostedUrl, 1);
      return id;
    },
    async begin() {
      const { id, hostedUrl } = await create(dev);
      const { report } = await payAsBuyer({ hostedUrl, card: DECLINED });
      expect(report).toMatchObject({ state: 'created', attempts: 1 });
      return async () => {
        await pay(hostedUrl, 2);
        return id;
      };
    },
    async openPage() {
      const { id, hostedUrl } = await create(dev);
      const stream = openStream(hostedUrl);
      await stream.shows('created');
      return {
        sessionId: id,
        async payAndSee() {
          await pay(hostedUrl, 1);
          await stream.shows('succeeded');
        },
        openings: stream.openings,
        close: stream.close,
      };
    },
    async purchases(count) {
      const target = begun + count;
      await eventually(() => expect(begun).toBeGreaterThanOrEqual(target), TIMEOUT_MS);
    },
    async chargedOnceEach(ids) {
      const paid = await eventually(() => paymentsOf(ids, dev.webhook.eventsUrl), TIMEOUT_MS);
      const charges = (await json(`${dev.railUrl}/ledger`)) as readonly LedgerEntry[];
      const approved = charges.filter(({ operation }) => operation === 'authorize');
      for (const id of paid) expect(approved.filter(({ reference }) => reference === id)).toHaveLength(1);
      // Nothing was charged for a session that is not paid.
      expect(approved).toHaveLength(begun);
    },
  };
}

/** The event stream of a session's page. */
function openStream(hostedUrl: string) {
  const source = new EventSource(`${hostedUrl}/events`);
  const states: string[] = [];
  let openings = 0;
  source.addEventListener('open', () => (openings += 1));
  source.addEventListener('state', (event) =>
    states.push(JSON.parse((event as MessageEvent<string>).data).state),
  );
  return {
    shows: (state: string) => eventually(() => expect(states).toContain(state), TIMEOUT_MS),
    openings: () => openings,
    close: () => source.close(),
  };
}

/** @returns the payment of each session, whose event the shop has received */
async function paymentsOf(sessionIds: readonly string[], eventsUrl: string) {
  const received = (await json(eventsUrl)) as readonly { event: PaidEvent }[];
  const events = received.map(({ event }) => event).filter(({ type }) => type === 'payment.succeeded');
  const bySession = new Map(events.map((event) => [event.checkout?.id, event]));
  for (const id of sessionIds) expect(bySession.get(id)).toBeDefined();
  return sessionIds.map((id) => bySession.get(id)?.payment.id);
}

interface PaidEvent {
  readonly type: string;
  readonly payment: { readonly id: string };
  readonly checkout: { readonly id: string } | null;
}

async function json(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

/** Retries unanswered requests like a merchant's server; at worst an unpaid session is left over. */
async function create(
  { apiUrl, merchant, products }: DevJson,
  { apiKey, productId }: Shop = { apiKey: merchant.apiKey, productId: products.oneTime },
): Promise<{ id: string; hostedUrl: string }> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`${apiUrl}/v1/checkouts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ productId, externalCustomerId: randomUUID() }),
    }).catch(() => undefined);
    if (response?.status === 201) return (await response.json()) as { id: string; hostedUrl: string };
    const isFinal = response !== undefined && response.status < 500;
    if (isFinal || Date.now() > deadline)
      throw new Error(`no session was created: ${response?.status} ${await response?.text()}`);
    await pause(100);
  }
}
