/** Makes one call to the sandbox rail: sends it, retries while the rail is busy, and classifies the answer. */
import { z } from 'zod';
import type { UnknownReason } from '../../domain/payment/attempt.ts';
import { isOver } from '../deadline.ts';
import { failureOf } from '../network-failure.ts';
import type { RailAccount } from '../rail-account.ts';
import { type Busy, retryAfterMs, whileBusy } from '../while-busy.ts';
import { credentialOf } from './credential.ts';
import { refusalOf, SandboxRailRefusal } from './errors.ts';

export interface HttpCall<Body> {
  readonly account: RailAccount;
  /** Used in error messages only. */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** Schema of the response. */
  readonly answer: z.ZodType<Body>;
  readonly signal: AbortSignal;
}

export type HttpResult<Body> =
  | { readonly kind: 'answer'; readonly body: Body }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

type Once<Body> = HttpResult<Body> | Busy;

const errorSchema = z.object({ code: z.string() });

/** @throws SandboxRailRefusal */
export function callRail<Body>(baseUrl: string, call: HttpCall<Body>): Promise<HttpResult<Body>> {
  return whileBusy<Once<Body>>(call.signal, () => callOnce(baseUrl, call));
}

async function callOnce<Body>(baseUrl: string, call: HttpCall<Body>): Promise<Once<Body>> {
  const credential = credentialOf(call.account);
  if (!credential) return { kind: 'unknown', reason: 'account_refused' };
  let response: Response;
  if (isOver(call.signal)) return { kind: 'unknown', reason: 'not_sent' };
  try {
    response = await fetch(`${baseUrl}${call.path}`, requestOf(call, credential.secret));
  } catch (error) {
    return { kind: 'unknown', reason: failureOf(error, call.signal) };
  }
  const body = await readJson(response);
  if (body === undefined && call.signal.aborted) return { kind: 'unknown', reason: 'timeout' };
  return response.status === 200 ? accepted(call, body) : refused(call, response, body);
}

function requestOf({ method, body, idempotencyKey, signal }: HttpCall<unknown>, secret: string): RequestInit {
  return {
    method,
    headers: {
      Authorization: `Bearer ${secret}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // A redirect could leak the credential to another host.
    redirect: 'error',
    signal,
  };
}

/** @returns undefined if the body is truncated or not JSON */
async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

function accepted<Body>({ answer }: HttpCall<Body>, body: unknown): HttpResult<Body> {
  const parsed = answer.safeParse(body);
  return parsed.success
    ? { kind: 'answer', body: parsed.data }
    : { kind: 'unknown', reason: 'malformed_answer' };
}

function refused<Body>({ operation }: HttpCall<Body>, response: Response, body: unknown): Once<Body> {
  const code = errorSchema.safeParse(body).data?.code ?? null;
  const refusal = refusalOf(response.status, code);
  if (refusal.kind === 'bug') throw new SandboxRailRefusal(operation, response.status, code ?? '');
  if (refusal.kind === 'busy')
    return { kind: 'busy', afterMs: retryAfterMs(response.headers.get('Retry-After')) };
  return refusal;
}
