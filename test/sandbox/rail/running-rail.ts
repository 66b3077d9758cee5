/** Starts a sandbox rail for a test file, with helpers for calls to it. */
import { randomUUID } from 'node:crypto';
import { TEST_CARDS } from '../../../sandbox/rail/core/test-cards.ts';
import type { AccountInput } from '../../../sandbox/rail/operations/account-config.ts';
import { type SandboxRailConfig, startSandboxRail } from '../../../sandbox/rail/server.ts';
import { createEmptyDatabase } from '../../support/db/postgres.ts';

export const ACCOUNT: AccountInput = { id: 'acct_demo', secret: 'rail_secret_of_the_demo_shop' };

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect answers of any shape
  readonly body: any;
  readonly headers: Headers;
}

export async function startRail(config: Partial<SandboxRailConfig> = {}) {
  const database = await createEmptyDatabase();
  const rail = await startSandboxRail({
    databaseUrl: database.url,
    accounts: [ACCOUNT],
    settleAfterMs: 1_000,
    ...config,
  });
  return { ...callsTo(rail.url), rail, databaseUrl: database.url, close };

  async function close(): Promise<void> {
    await rail.close();
    await database.drop();
  }
}

export type RunningRail = Awaited<ReturnType<typeof startRail>>;

export function callsTo(url: string) {
  return {
    url,
    get: (path: string, headers: Record<string, string> = {}) => call(`${url}${path}`, { headers }),
    post: (path: string, body: object, headers: Record<string, string> = {}) =>
      post(url, path, body, headers),
    async token(cardName: string): Promise<string> {
      const { body } = await post(url, '/tokens', cardDetails(numberOf(cardName)));
      return body.token;
    },
    /** Authorizes like the adapter; `values` overrides body fields. */
    async authorize(cardName: string, values: Record<string, unknown> = {}): Promise<Answer> {
      const reference = values.reference ?? newReference();
      const request = {
        reference,
        amount: 1_900,
        currency: 'EUR',
        token: await this.token(cardName),
        challengeReturnUrl: 'http://127.0.0.1:9/back',
        ...values,
      };
      return post(url, '/v1/charges', request, credentials(`${reference}:authorize`));
    },
    lookup: (reference: string) => call(`${url}/v1/charges/${reference}`, { headers: credentials('-') }),
    cancel: (reference: string) =>
      post(url, `/v1/charges/${reference}/cancel`, {}, credentials(`${reference}:cancel`)),
    async ledgerOf(reference: string) {
      const { body } = await call(`${url}/ledger`, {});
      return body.filter((entry: { reference: string }) => entry.reference === reference);
    },
  };
}

export function credentials(idempotencyKey: string, secret = ACCOUNT.secret): Record<string, string> {
  return { Authorization: `Bearer ${secret}`, 'Idempotency-Key': idempotencyKey };
}

export function newReference(): string {
  return `ap_pay_${randomUUID()}`;
}

function numberOf(cardName: string): string {
  const card = TEST_CARDS.find(({ name }) => name === cardName);
  if (!card) throw new Error(`unknown test card ${cardName}`);
  return card.number;
}

export function cardDetails(number: string) {
  return { account: ACCOUNT.id, number, expMonth: 12, expYear: 2040, cvc: '123' };
}

function post(url: string, path: string, body: object, headers: Record<string, string> = {}) {
  return call(`${url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function call(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}
