/**
 * Stripe's own client for one call of the service. It never retries by itself, and its socket dies with the
 * call's signal: whether and when something is sent again is decided in `call.ts` alone.
 */
import Stripe from 'stripe';
import type { RailAccount } from '../rail.ts';
import { credentialOf } from './credential.ts';

/** What the types of the package describe; Stripe answers in this version whatever the account's own is. */
export const STRIPE_API_VERSION = '2026-10-28.endive' satisfies Stripe.LatestApiVersion;

/** The signal ends a call long before. */
const NEVER_BY_ITSELF_MS = 600_000;

export interface StripeApi {
  readonly stripe: Stripe;
  readonly signal: AbortSignal;
  /** The last request's answer had begun to arrive. */
  wasAnswered(): boolean;
}

/** @returns null when the account has no usable credential: nothing is sent */
export function openStripe(apiUrl: string, account: RailAccount, signal: AbortSignal): StripeApi | null {
  const credential = credentialOf(account);
  if (!credential) return null;
  const { protocol, hostname, port } = new URL(apiUrl);
  let answered = false;
  const send: typeof fetch = async (input, init) => {
    answered = false;
    const signals = init?.signal ? [init.signal, signal] : [signal];
    // A redirect could take the credential elsewhere.
    const response = await fetch(input, { ...init, redirect: 'error', signal: AbortSignal.any(signals) });
    answered = true;
    return response;
  };
  const stripe = new Stripe(credential.secretKey, {
    apiVersion: STRIPE_API_VERSION,
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port && { port }),
    // `fetch`, because the package's own client sends a closed connection's request again, asked or not.
    httpClient: Stripe.createFetchHttpClient(send),
    maxNetworkRetries: 0,
    timeout: NEVER_BY_ITSELF_MS,
    telemetry: false,
  });
  return { stripe, signal, wasAnswered: () => answered };
}
