/** The adapter to the sandbox rail, over HTTP. */
import type { z } from 'zod';
import { CURRENCIES } from '../../domain/core/money.ts';
import { WALLETS } from '../../domain/payment/payment-method.ts';
import type { RailCapabilities } from '../../domain/payment/rail-capabilities.ts';
import { assertCapability, assertCurrencyDeclared } from '../capabilities.ts';
import { RailListFailed } from '../lists.ts';
import type { RailOutcome, RefundOutcome } from '../outcomes.ts';
import type { Rail } from '../rail.ts';
import type { RailAccount } from '../rail-account.ts';
import { credentialOf } from './credential.ts';
import { callRail, type HttpCall, type HttpResult } from './http.ts';
import { askAccount, CREDENTIAL_FIELDS, probe } from './probe.ts';
import { parseWebhook } from './webhook.ts';
import {
  type Charge,
  chargePageSchema,
  chargeSchema,
  disputePageSchema,
  disputesOf,
  disputesSchema,
  listedCharge,
  listedDispute,
  listedRefund,
  outcomeOf,
  refundedTotalSchema,
  refundOutcomeOf,
  refundPageSchema,
  refundSchema,
  tokenSchema,
} from './wire.ts';

export interface SandboxRailOptions {
  /** URL at which the service reaches the rail. */
  readonly baseUrl: string;
  /** URL at which browsers reach the rail; `baseUrl` by default. */
  readonly publicUrl?: string;
  /** Returns the time in Unix milliseconds, to check the age of webhooks; by default the machine's clock. */
  readonly now?: () => number;
}

/** Every capability that a sandbox rail account can declare. */
export const SANDBOX_CAPABILITIES: RailCapabilities = {
  cardFields: true,
  recurring: true,
  wallets: WALLETS,
  refunds: true,
  currencies: CURRENCIES,
};

export function createSandboxRail(options: SandboxRailOptions): Rail {
  const baseUrl = withoutSlash(options.baseUrl);
  const publicUrl = withoutSlash(options.publicUrl ?? options.baseUrl);
  const now = options.now ?? Date.now;

  return {
    name: 'sandbox',
    credentialFields: CREDENTIAL_FIELDS,
    probe: (account, signal) => probe(baseUrl, account, signal),
    askAccount: (request) => askAccount(baseUrl, request),
    trust: { idempotentAuthorize: true, cancelHolds: true, lookupLagMs: 0, searchLagMs: 0 },

    ...chargeCalls(baseUrl),
    ...refundCalls(baseUrl),

    async listDisputes({ account, reference, signal }) {
      const path = `/v1/charges/${encodeURIComponent(reference)}/disputes`;
      const operation = 'listDisputes';
      const answer = disputesSchema;
      return outcomeOfResult(
        await callRail(baseUrl, { account, operation, method: 'GET', path, answer, signal }),
        disputesOf,
      );
    },

    listSince: (account, since, signal) =>
      listAll({
        baseUrl,
        account,
        since,
        signal,
        path: '/v1/charges',
        page: chargePageSchema,
        read: listedCharge,
      }),

    listRefundsSince: (account, since, signal) =>
      listAll({
        baseUrl,
        account,
        since,
        signal,
        path: '/v1/refunds',
        page: refundPageSchema,
        read: listedRefund,
      }),

    listDisputesSince: (account, since, signal) =>
      listAll({
        baseUrl,
        account,
        since,
        signal,
        path: '/v1/disputes',
        page: disputePageSchema,
        read: listedDispute,
      }),

    parseWebhook: (account, rawBody, headers) => parseWebhook(account, rawBody, headers, now()),

    publicConfig: (account, request) => publicConfig(publicUrl, account, request),

    async cardOf(account, methodToken, signal) {
      const path = `/v1/tokens/${encodeURIComponent(methodToken)}`;
      const call = {
        account,
        operation: 'cardOf',
        method: 'GET',
        path,
        answer: tokenSchema,
        signal,
      } as const;
      const result = await callRail(baseUrl, call);
      return result.kind === 'answer' ? result.body.cardFingerprint : null;
    },
  };
}

function chargeCalls(baseUrl: string): Pick<Rail, 'authorize' | 'lookup' | 'cancel' | 'chargeStored'> {
  async function charge(call: Omit<HttpCall<Charge>, 'answer'>): Promise<RailOutcome> {
    return outcomeOfResult(await callRail(baseUrl, { ...call, answer: chargeSchema }), outcomeOf);
  }

  return {
    async authorize({ account, signal, idempotencyKey, ...request }) {
      const { reference, amountCents: amount, currency, saveMandate, challengeReturnUrl } = request;
      assertCurrencyDeclared(account, currency);
      if (saveMandate) assertCapability(account, 'recurring');
      const body = {
        reference,
        amount,
        currency,
        quantity: request.quantity,
        saveMandate,
        challengeReturnUrl,
        token: request.methodToken,
      };
      const path = '/v1/charges';
      return charge({ account, operation: 'authorize', method: 'POST', path, body, idempotencyKey, signal });
    },

    async lookup({ account, reference, signal }) {
      const path = `/v1/charges/${encodeURIComponent(reference)}`;
      return charge({ account, operation: 'lookup', method: 'GET', path, signal });
    },

    async cancel({ account, reference, idempotencyKey, signal }) {
      const path = `/v1/charges/${encodeURIComponent(reference)}/cancel`;
      return charge({ account, operation: 'cancel', method: 'POST', path, idempotencyKey, signal });
    },

    async chargeStored({
      account,
      reference,
      amountCents: amount,
      currency,
      mandate,
      at,
      idempotencyKey,
      signal,
    }) {
      assertCurrencyDeclared(account, currency);
      assertCapability(account, 'recurring');
      const body = { reference, amount, currency, mandate, at };
      const path = '/v1/stored-charges';
      return charge({
        account,
        operation: 'chargeStored',
        method: 'POST',
        path,
        body,
        idempotencyKey,
        signal,
      });
    },
  };
}

function refundCalls(baseUrl: string): Pick<Rail, 'refund' | 'lookupRefund' | 'refundedTotal'> {
  async function refundCall(call: Omit<HttpCall<unknown>, 'answer'>): Promise<RefundOutcome> {
    return outcomeOfResult(await callRail(baseUrl, { ...call, answer: refundSchema }), refundOutcomeOf);
  }

  return {
    async refund({ account, signal, idempotencyKey, ...request }) {
      assertCapability(account, 'refunds');
      const { reference, paymentReference: chargeReference, amountCents: amount, currency } = request;
      const body = { reference, chargeReference, amount, currency };
      const path = '/v1/refunds';
      return refundCall({ account, operation: 'refund', method: 'POST', path, body, idempotencyKey, signal });
    },

    async lookupRefund({ account, reference, signal }) {
      const path = `/v1/refunds/${encodeURIComponent(reference)}`;
      return refundCall({ account, operation: 'lookupRefund', method: 'GET', path, signal });
    },

    async refundedTotal({ account, reference, signal }) {
      const path = `/v1/charges/${encodeURIComponent(reference)}/refunds`;
      const operation = 'refundedTotal';
      const answer = refundedTotalSchema;
      return outcomeOfResult(
        await callRail(baseUrl, { account, operation, method: 'GET', path, answer, signal }),
        ({ refunded }) => ({ kind: 'total', refundedCents: refunded, pendingCents: 0 }),
      );
    },
  };
}

function publicConfig(
  publicUrl: string,
  account: RailAccount,
  { origin, language }: Parameters<Rail['publicConfig']>[1],
): ReturnType<Rail['publicConfig']> {
  assertCapability(account, 'cardFields');
  const query = new URLSearchParams({
    account: credentialOf(account)?.account ?? '',
    origin,
    lang: language,
  });
  return {
    fieldsUrl: `${publicUrl}/fields?${query}`,
    fieldsOrigin: new URL(publicUrl).origin,
    simulatedWallets: true,
  };
}

function outcomeOfResult<Body, Outcome>(
  result: HttpResult<Body>,
  read: (body: Body) => Outcome,
): Outcome | Exclude<HttpResult<Body>, { kind: 'answer' }> {
  return result.kind === 'answer' ? read(result.body) : result;
}

interface Listing<Row, Item> {
  readonly baseUrl: string;
  readonly account: RailAccount;
  readonly since: string;
  readonly signal: AbortSignal;
  readonly path: '/v1/charges' | '/v1/refunds' | '/v1/disputes';
  readonly page: z.ZodType<{ data: Row[]; next: string | null }>;
  readonly read: (row: Row) => Item;
}

/** @throws RailListFailed */
async function listAll<Row, Item>(listing: Listing<Row, Item>): Promise<readonly Item[]> {
  const { baseUrl, account, since, signal, path, page, read } = listing;
  const items: Item[] = [];
  for (let after: string | null = null; ; ) {
    const query = new URLSearchParams({ since, ...(after && { after }) });
    const result: HttpResult<{ data: Row[]; next: string | null }> = await callRail(baseUrl, {
      account,
      operation: 'listSince',
      method: 'GET',
      path: `${path}?${query}`,
      answer: page,
      signal,
    });
    if (result.kind !== 'answer') {
      throw new RailListFailed('sandbox', result.kind === 'unknown' ? result.reason : 'malformed_answer');
    }
    items.push(...result.body.data.map(read));
    after = result.body.next;
    if (after === null) return items;
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
