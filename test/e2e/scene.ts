/** Brings a session into a state and opens the page on it. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { sql } from '../../db/core/pool.ts';
import { createSandboxRail } from '../../rail/sandbox/index.ts';
import { addAttempt, moveTo, RAIL_ACCOUNT, type TestSession } from '../page/core/fixtures.ts';
import type { ServedPage } from '../page/core/serve.ts';
import { CARDS } from '../support/stack/hosted-page.ts';

export interface Scene {
  readonly served: ServedPage;
  readonly page: Page;
}

export type State = (scene: Scene) => Promise<void>;

export interface Shown {
  readonly page: Page;
  readonly session: TestSession;
  readonly claimId: string;
}

export type Ready = (shown: Shown) => Promise<void>;
export type Before = (session: TestSession, claimId: string) => Promise<void>;

export async function show(
  { served, page }: Scene,
  session: TestSession,
  ready: Ready,
  before: Before = async () => {},
): Promise<void> {
  const claimId = randomUUID();
  await before(session, claimId);
  await page.goto(`${served.url}/pay/${session.pageToken}`);
  await ready({ page, session, claimId });
}

export const until =
  (text: string) =>
  async ({ page }: Shown) => {
    await page.getByText(text).first().waitFor();
  };

export async function untilFields({ page }: Shown): Promise<void> {
  await page.locator('.fields[data-state="ready"]').waitFor({ state: 'attached' });
}

export async function failed({ served }: Scene, session: TestSession, failureCode: string): Promise<void> {
  await addAttempt(served.pool, session, { status: 'failed', failureCode });
}

export async function ended(
  { served }: Scene,
  session: TestSession,
  how: 'succeeded' | 'expired' | 'attempts_exhausted' | 'cancelled' | 'resolved_by_operator',
): Promise<void> {
  await addAttempt(served.pool, session, { status: how === 'succeeded' ? 'succeeded' : 'failed' });
  if (how === 'succeeded') await moveTo(served.pool, session, 'succeeded');
  else await moveTo(served.pool, session, 'failed', how);
}

/** As if this tab had sent the claim before a reload. */
export async function isMine({ page }: Scene, { pageToken }: TestSession, claimId: string): Promise<void> {
  await page.addInitScript(([key, value]) => sessionStorage.setItem(key, value), [
    `paid-here:${pageToken}`,
    JSON.stringify([claimId]),
  ] as const);
}

/** Opens a real challenge at the rail. */
export async function confirmation(scene: Scene, session: TestSession, mine: boolean): Promise<void> {
  const { served } = scene;
  const claimId = randomUUID();
  const paymentId = await addAttempt(served.pool, session, { status: 'requires_action', claimId });
  const url = await challengeUrl(served, session, paymentId);
  await served.pool.query(sql.unsafe`
    update payments set challenge_url = ${url}, challenge_expires_at = service_clock() + interval '10 minutes'
    where id = ${paymentId}`);
  await moveTo(served.pool, session, 'requires_action');
  if (mine) await isMine(scene, session, claimId);
}

async function challengeUrl(served: ServedPage, session: TestSession, reference: string): Promise<string> {
  const amountCents = await served.pool.oneFirst(sql.type(z.object({ amount: z.number() }))`
    select amount from checkouts where id = ${session.id}`);
  const card = { account: RAIL_ACCOUNT.id, number: CARDS.challenge, expMonth: 12, expYear: 2040, cvc: '123' };
  const response = await fetch(`${served.railUrl}/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(card),
  });
  const { token } = (await response.json()) as { token: string };
  const outcome = await createSandboxRail({ baseUrl: served.railUrl }).authorize({
    account: {
      id: RAIL_ACCOUNT.id,
      merchantId: 'ap_mer_x',
      environment: 'sandbox',
      rail: 'sandbox',
      status: 'active',
      capabilities: { cardFields: true, recurring: true, wallets: [], refunds: false, currencies: ['EUR'] },
      credential: {
        account: RAIL_ACCOUNT.id,
        secret: RAIL_ACCOUNT.secret,
        webhookSecret: RAIL_ACCOUNT.webhookSecret,
      },
    },
    reference,
    idempotencyKey: `${reference}:authorize`,
    storeId: async () => {},
    amountCents,
    currency: 'EUR',
    methodToken: token,
    quantity: null,
    saveMandate: amountCents === 0,
    challengeReturnUrl: `${served.url}/pay/${session.pageToken}/challenge/return`,
    signal: AbortSignal.timeout(5_000),
  });
  if (outcome.kind !== 'challenge') throw new Error(`expected a challenge, not ${outcome.kind}`);
  return outcome.url;
}
