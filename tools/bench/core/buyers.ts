/** Acts as the merchant and the buyers, over HTTP like their real programs. */
import { randomUUID } from 'node:crypto';
import type { Arrivals } from './arrivals.ts';
import { cardToken } from './card.ts';
import { openHttp } from './http.ts';
import { type Delays, stopwatch, withinAMinute } from './load.ts';
import type { Place } from './place.ts';

const RAIL_ACCOUNT = 'acct_merchant';

interface CreatedSession {
  readonly id: string;
  readonly hostedUrl: string;
}

/** A buyer about to click, with the rail's token for their card. */
export interface ReadyBuyer extends CreatedSession {
  readonly token: string;
}

interface Click {
  /** Delays until the response and until the payment is settled. */
  readonly delays: Delays;
  /** The milliseconds from the click until the shop has received `payment.succeeded`. */
  readonly received: Promise<number>;
}

export interface Buyers {
  create(): Promise<CreatedSession>;
  /** Opens the hosted page and gives the card to the rail. */
  getReady(session: CreatedSession): Promise<ReadyBuyer>;
  click(buyer: ReadyBuyer): Promise<Click>;
  /** Makes the whole purchase, from the hosted page until the shop has received `payment.succeeded`. */
  pay(session: CreatedSession): Promise<Delays>;
  end(): Promise<void>;
}

/** The merchant whose product is bought. */
interface Shop {
  readonly apiKey: string;
  readonly productId: string;
  readonly railAccount: string;
}

/**
 * @param arrivals required for clicks
 * @param shop by default the demo shop, the only shop that receives webhooks
 */
export function createBuyers({ dev }: Place, arrivals?: Arrivals, shop?: Shop): Buyers {
  const { apiKey, productId, railAccount } = shop ?? {
    apiKey: dev.merchant.apiKey,
    productId: dev.products.oneTime,
    railAccount: RAIL_ACCOUNT,
  };
  const http = openHttp();
  const { ask } = http;

  async function create(): Promise<CreatedSession> {
    const text = await ask(`${dev.apiUrl}/v1/checkouts`, {
      bearer: apiKey,
      body: {
        productId,
        externalCustomerId: randomUUID(),
        customer: { email: 'buyer@example.com' },
        successUrl: `${dev.shopUrl}/thanks`,
      },
    });
    return JSON.parse(text);
  }

  async function getReady(session: CreatedSession): Promise<ReadyBuyer> {
    await ask(session.hostedUrl);
    return { ...session, token: await cardToken(http, dev, railAccount) };
  }

  async function click({ id, hostedUrl, token }: ReadyBuyer): Promise<Click> {
    if (!arrivals) throw new Error('clicks need an observer of arrivals');
    const settled = arrivals.next('settled', id);
    const arrived = arrivals.next('received', id);
    const sinceClick = stopwatch();
    const received = arrived.then(sinceClick);
    const body = {
      claimId: randomUUID(),
      methodType: 'card',
      methodToken: token,
      email: 'buyer@example.com',
    };
    const answer = JSON.parse(await ask(`${hostedUrl}/pay`, { body }));
    const answeredMs = sinceClick();
    if (answer.claim !== 'claimed') throw new Error(`${id}: the click was not claimed: ${answer.claim}`);
    await withinAMinute(`settling ${id}`, settled);
    const settledMs = sinceClick();
    return { delays: { 'click to answer': answeredMs, 'click to settled': settledMs }, received };
  }

  async function pay(session: CreatedSession): Promise<Delays> {
    const { id, hostedUrl } = session;
    const buyer = await getReady(session);
    const { delays, received } = await click(buyer);
    const last = JSON.parse(await ask(`${hostedUrl}/state`));
    if (last.state !== 'succeeded') throw new Error(`${id}: ${last.state}`);
    return { ...delays, 'click to webhook': await withinAMinute(`the webhook of ${id}`, received) };
  }

  return { create, getReady, click, pay, end: http.end };
}
