/** Makes one call to Stripe: sends it, retries while Stripe is busy, and classifies the answer. */
import Stripe from 'stripe';
import type { z } from 'zod';
import type { MethodSummary } from '../../../domain/payment/payment-method.ts';
import { isOver } from '../../deadline.ts';
import { failureOf } from '../../network-failure.ts';
import type { RailUnknown } from '../../outcomes.ts';
import { type Busy, retryAfterMs, whileBusy } from '../../while-busy.ts';
import type { StripeApi } from './client.ts';
import type { Decline } from './decline-codes.ts';
import { meaningOf } from './errors.ts';
import { fingerprintOf, methodSchema, summaryOf } from './method.ts';

export type Refused =
  | ({
      readonly kind: 'declined';
      readonly method: MethodSummary | null;
      readonly cardFingerprint: string | null;
    } & Decline)
  | { readonly kind: 'movedOn' }
  | { readonly kind: 'missing' }
  /** `code` is Stripe's own, for callers that handle specific codes. */
  | { readonly kind: 'refused'; readonly code: string | null; readonly detail: string }
  | { readonly kind: 'notPermitted'; readonly detail: string }
  /** `stored`: Stripe has stored this failure under the idempotency key and repeats it for a day. */
  | (RailUnknown & { readonly stored?: boolean });

export type Answer<Value> = { readonly kind: 'answer'; readonly value: Value } | Refused;

/** @param schema the schema of the answer */
export function call<Value>(
  api: StripeApi,
  schema: z.ZodType<Value>,
  send: (stripe: Stripe) => PromiseLike<unknown>,
): Promise<Answer<Value>> {
  return whileBusy<Answer<Value> | Busy>(api.signal, async () => {
    try {
      const parsed = schema.safeParse(await send(api.stripe));
      return parsed.success
        ? { kind: 'answer', value: parsed.data }
        : { kind: 'unknown', reason: 'malformed_answer' };
    } catch (error) {
      return classify(api, error);
    }
  });
}

function classify(api: StripeApi, error: unknown): Refused | Busy {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { statusCode: status } = error;
  if (status === undefined) return { kind: 'unknown', reason: withoutAnswer(api, error) };
  const meaning = meaningOf(status, { ...error, type: error.rawType });
  switch (meaning.kind) {
    case 'busy':
      return { kind: 'busy', afterMs: retryAfterMs(error.headers?.['retry-after']) };
    case 'serverError':
      return { kind: 'unknown', reason: 'server_error', ...(isStored(error) && { stored: true }) };
    case 'accountRefused':
      return { kind: 'unknown', reason: 'account_refused' };
    case 'notPermitted':
      return { kind: 'notPermitted', detail: detailOf(error) };
    case 'usedBefore':
      return { kind: 'unknown', reason: 'used_before' };
    case 'misconfigured':
      return { kind: 'refused', code: error.code ?? null, detail: detailOf(error) };
    case 'declined': {
      const method = methodSchema.safeParse(error.payment_method).data;
      return { ...meaning, method: summaryOf(method), cardFingerprint: fingerprintOf(method) };
    }
    case 'movedOn':
    case 'missing':
      return meaning;
  }
}

function withoutAnswer({ signal, wasAnswered }: StripeApi, error: Stripe.errors.StripeError) {
  if (isOver(signal)) return 'timeout';
  return wasAnswered() ? 'malformed_answer' : failureOf(error.detail, signal);
}

function isStored({ headers }: Stripe.errors.StripeError): boolean {
  return headers?.['idempotent-replayed'] === 'true';
}

/** Describes an error by codes and ids only: Stripe's messages may contain secrets. */
function detailOf({ statusCode, rawType, code, param, requestId }: Stripe.errors.StripeError): string {
  const what = [rawType, code, param && `parameter ${param}`].filter(Boolean).join(', ');
  return `${statusCode} ${what}${requestId ? ` (request ${requestId})` : ''}`;
}
