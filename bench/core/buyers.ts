/** Merchant and buyer of the purchases: over HTTP, as their programs do it. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Arrivals } from './arrivals.ts';
import { type Delays, stopwatch, withinAMinute } from './load.ts';
import type { Place } from './place.ts';

const CARD = {
  number: '4242424242424242',
  expMonth: 12,
  expYear: new Date().getUTCFullYear() + 3,
  cvc: '123',
};
const RAIL_ACCOUNT = 'acct_merchant';

interface CreatedSession {
  readonly id: string;
  readonly hostedUrl: string;
}

/** A buyer in front of the button, with the rail's token of their card. */
export interface ReadyBuyer extends CreatedSession {
  readonly token: string;
}

interface Click {
  /** Until the answer, and until the payment is settled. */
  readonly delays: Delays;
  /** Resolves when the shop has received `payment.succeeded`. */
  readonly received: Promise<void>;
}

export interface Buyers {
  create(): Promise<CreatedSession>;
  /** Opens the hosted page and gives the card to the rail. */
  getReady(session: CreatedSession): Promise<ReadyBuyer>;
  click(buyer: ReadyBuyer): Promise<Click>;
  /** From the hosted page to the receipt of `payment.succeeded` by the shop. */
  pay(session: CreatedSession): Promise<Delays>;
  end(): Promise<void>;
}

/** @param arrivals needed by clicks */
export function createBuyers({ dev }: Place, arrivals?: Arrivals): Buyers {
  const agent = new Agent({ connections: 128, keepAliveTimeout: 60_000 });

  async function ask(url: string, given: { body?: object; bearer?: string } = {}): Promise<string> {
    const { body, bearer } = given;
    const answer = await request(url, {
      dispatcher: agent,
      method: body ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    // "The outcome is not known yet": the page repeats the request, with the same id.
    if (answer.statusCode === 503) return ask(url, given);
    if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${text}`);
    return text;
  }

  async function create(): Promise<CreatedSession> {
    const text = await ask(`${dev.apiUrl}/v1/checkouts`, {
      bearer: dev.merchant.apiKey,
      body: {
        productId: dev.products.oneTime,
        externalCustomerId: randomUUID(),
        customer: { email: 'buyer@example.com' },
        successUrl: `${dev.shopUrl}/thanks`,
      },
    });
    return JSON.parse(text);
  }

  async function getReady(session: CreatedSession): Promise<ReadyBuyer> {
    await ask(session.hostedUrl);
    const body = { account: RAIL_ACCOUNT, ...CARD };
    const { token } = JSON.parse(await ask(`${dev.railUrl}/tokens`, { body }));
    return { ...session, token };
  }

  async function click({ id, hostedUrl, token }: ReadyBuyer): Promise<Click> {
    if (!arrivals) throw new Error('clicks need arrivals');
    const settled = arrivals.next('settled', id);
    const received = arrivals.next('received', id);
    const sinceClick = stopwatch();
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
    const sinceClick = stopwatch();
    const { delays, received } = await click(buyer);
    const last = JSON.parse(await ask(`${hostedUrl}/state`));
    if (last.state !== 'succeeded') throw new Error(`${id}: ${last.state}`);
    await withinAMinute(`the webhook of ${id}`, received);
    return { ...delays, 'click to webhook': sinceClick() };
  }

  return { create, getReady, click, pay, end: () => agent.close() };
}
