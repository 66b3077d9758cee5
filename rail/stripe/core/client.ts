/**
 * Stripe's client for one call. The client never retries, and the call's signal closes its socket: only `call.ts`
 * decides about retries.
 */
import Stripe from 'stripe';
import { isOver } from '../../deadline.ts';
import type { RailAccount } from '../../rail-account.ts';
import { credentialOf } from './credential.ts';

/** The version that the package's types describe; it overrides the account's default version. */
export const STRIPE_API_VERSION = '2026-10-28.endive' satisfies Stripe.LatestApiVersion;

/** The client's own time-out, never reached because the signal ends a call much earlier. */
const NEVER_BY_ITSELF_MS = 600_000;

export interface StripeApi {
  readonly stripe: Stripe;
  readonly signal: AbortSignal;
  /** Returns whether the last request's response had begun to arrive. */
  wasAnswered(): boolean;
  readonly onSkipped: OnSkipped;
}

/**
 * Called for each listed object that is not the service's and does not have Stripe's documented form. Receives names of
 * fields, but no values.
 */
export type OnSkipped = (skipped: { readonly id: string; readonly why: string }) => void;

/** The address of Stripe's API, and where skipped objects are reported. */
export interface StripePlace {
  readonly apiUrl: string;
  readonly onSkipped: OnSkipped;
}

/** @returns null if the account has no usable credential */
export function openStripe(
  { apiUrl, onSkipped }: StripePlace,
  account: RailAccount,
  signal: AbortSignal,
): StripeApi | null {
  const credential = credentialOf(account);
  if (!credential) return null;
  const { protocol, hostname, port } = new URL(apiUrl);
  let answered = false;
  const send: typeof fetch = async (input, init) => {
    answered = false;
    if (isOver(signal)) throw new DOMException('The deadline of the call has passed.', 'TimeoutError');
    const signals = init?.signal ? [init.signal, signal] : [signal];
    // A redirect could leak the credential to another host.
    const response = await fetch(input, { ...init, redirect: 'error', signal: AbortSignal.any(signals) });
    answered = true;
    return response;
  };
  const stripe = new Stripe(credential.secretKey, {
    apiVersion: STRIPE_API_VERSION,
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port && { port }),
    // Use `fetch`, because the package's own client always retries after a closed connection.
    httpClient: Stripe.createFetchHttpClient(send),
    maxNetworkRetries: 0,
    timeout: NEVER_BY_ITSELF_MS,
    telemetry: false,
  });
  return { stripe, signal, wasAnswered: () => answered, onSkipped };
}
