/**
 * Handles `Idempotency-Key` on the routes that take it (docs/contract.md#idempotency): equal requests have one effect
 * and one response. Final responses are pinned, except rejections while no money may move (rule 29); after any other
 * response, the next retry resumes the same operation. A route lists `takeIdempotencyKey`, `readJsonBody` and
 * `idempotent(…)`, in this order.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { hashJson } from '../../contract/core/canonical-json.ts';
import type { ErrorCode } from '../../contract/core/errors.ts';
import {
  type Claim,
  claimKey,
  deleteKey,
  type KeyedRequest,
  type PinnedAnswer,
  pinAnswer,
  releaseLease,
  renewLease,
} from '../../db/core/idempotency.ts';
import type { Pool } from '../../db/core/pool.ts';
import type { SecretBox } from '../../platform/secrets/encryption.ts';
import { openAnswer, sealAnswer } from '../../platform/secrets/pinned-answer.ts';
import { pinnedAnswerOf } from '../../platform/secrets/places.ts';
import { ApiError, invalidRequest, RefusedTooEarly } from './errors.ts';
import { exchangeOf } from './exchange.ts';
import { isRepeated } from './single-headers.ts';

const LEASE_SECONDS = 10;
const RENEW_EVERY_MS = 3_000;
/** How long a request waits for an equal one in progress. */
const WAIT_MS = 5_000;
const PRINTABLE_ASCII = /^[\x20-\x7e]{1,255}$/;
/**
 * Refusals that may change on a retry, besides the 409s that end their operation. All other refusals state facts about
 * the request or the resource.
 */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'idempotency_key_conflict',
  'idempotency_key_in_progress',
  'payment_rail_activation_in_progress',
  'product_image_refused',
]);

/** Statuses that the checks before an operation send; an earlier attempt with the key may still have had an effect. */
const REFUSED_BEFORE_EFFECT: readonly number[] = [403, 429];

/** Errors that follow from the request alone. */
const OF_REQUEST = /^invalid_request$|_(required|invalid|not_allowed)$/;

type Answer = Extract<PinnedAnswer, { body: string }>;

/** An operation's response; `request_id` is added to the body. */
interface HttpAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The workflow's id, for `x-service-flow-id`. */
  readonly flowId?: string;
  /** False if this body contains no secret although the route's other bodies do: it is then stored unencrypted. */
  readonly isSecret?: boolean;
}

export interface Idempotency {
  readonly pool: Pool;
  /** The owner of the key: `merchant:<id>:<environment>`, `merchant:<id>:people` or `client:<public id>`. */
  readonly scopeOf: (response: Response) => string;
  /** Set for responses that contain a secret: encrypts the stored body. */
  readonly sealWith?: SecretBox;
  readonly movesMoney?: boolean | undefined;
  /** False if rows that a restore adopts cannot change a rejection; true by default. */
  readonly isRestorable?: boolean | undefined;
}

/**
 * @param operation may run again with the same operation id after a crash or an unpinned response, and must then find
 * its earlier work; the id is null if the key is optional and absent
 */
export type Operation = (
  request: Request,
  response: Response,
  operationId: string | null,
) => Promise<HttpAnswer>;

/** @throws ApiError 400 `idempotency_key_required`, `idempotency_key_invalid` */
export function takeIdempotencyKey({ required }: { readonly required: boolean }): RequestHandler {
  return (request, _response, next) => {
    const key = request.get('idempotency-key');
    if (key === undefined && required) throw new ApiError('idempotency_key_required');
    // Node joins repeated headers with a comma. A retry that sends the key once would then have a different key, and a
    // second effect.
    if (key !== undefined && (isRepeated(request, 'idempotency-key') || !PRINTABLE_ASCII.test(key)))
      throw new ApiError('idempotency_key_invalid');
    next();
  };
}

export function idempotent(idempotency: Idempotency, operation: Operation): RequestHandler {
  const { pool, scopeOf, sealWith, movesMoney = false, isRestorable = true } = idempotency;
  return async (request, response) => {
    const key = request.get('idempotency-key');
    if (key === undefined)
      return send(response, answerTo(response, await operation(request, response, null)));
    const keyed: KeyedRequest = {
      scope: scopeOf(response),
      key,
      method: request.method,
      path: request.path,
      bodyHash: hashOf(request.body),
      leaseSeconds: LEASE_SECONDS,
      movesMoney,
    };
    const claim = await claimInTime(pool, keyed);
    if ('answer' in claim) return replay(response, opened(claim.answer, keyed, sealWith));
    const { lease, isFinal } = claim;
    const pinned = await runUnderLease(pool, keyed, claim, async () => {
      try {
        const done = await operation(request, response, lease.operationId);
        return toPin(answerTo(response, done), keyed, done.isSecret === false ? undefined : sealWith);
      } catch (error) {
        if (!(error instanceof ApiError) || !isPinned(error)) throw error;
        // The request was rejected because a row is missing that may still be adopted: a pinned response would repeat
        // the rejection forever.
        if (!isFinal && isRestorable)
          throw OF_REQUEST.test(error.code) ? error : new RefusedTooEarly(error.code);
        return refusalToPin(response, error);
      }
    });
    const answer = opened(pinned, keyed, sealWith);
    if (answer.requestId === exchangeOf(response).requestId) send(response, answer);
    else replay(response, answer);
  };
}

function hashOf(body: unknown): Buffer {
  try {
    return hashJson(body ?? {});
  } catch {
    throw invalidRequest('The body is nested too deeply.', null);
  }
}

type Mine = Extract<Claim, { readonly kind: 'mine' }>;

async function claimInTime(
  pool: Pool,
  keyed: KeyedRequest,
): Promise<Mine | { readonly answer: PinnedAnswer }> {
  const deadline = performance.now() + WAIT_MS;
  for (let pauseMs = 25; ; pauseMs = Math.min(2 * pauseMs, 400)) {
    const claim = await claimKey(pool, keyed);
    if (claim.kind === 'mine') return claim;
    if (claim.kind === 'answered') return { answer: claim.answer };
    if (claim.kind === 'conflict') throw new ApiError('idempotency_key_conflict');
    if (performance.now() > deadline) {
      throw new ApiError('idempotency_key_in_progress', { headers: { 'Retry-After': '1' } });
    }
    await sleep(pauseMs);
  }
}

/** Runs the operation while renewing its lease, then stores the response. If either fails, it releases the lease. */
async function runUnderLease(
  pool: Pool,
  keyed: KeyedRequest,
  { lease: taken, isFirst }: Mine,
  run: () => Promise<PinnedAnswer>,
): Promise<PinnedAnswer> {
  let lease = taken;
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewLease(pool, keyed, lease, LEASE_SECONDS).then(
      (renewed) => {
        lease = renewed ?? lease;
      },
      // If renewal fails, another request may take over the lease; the shared operation id makes that harmless.
      () => {},
    );
  }, RENEW_EVERY_MS);
  try {
    return await pinAnswer(pool, keyed, await run());
  } catch (error) {
    clearInterval(timer);
    await renewing;
    const refusal = error instanceof ApiError ? error : null;
    const isFree = isFirst && refusal !== null && REFUSED_BEFORE_EFFECT.includes(refusal.status);
    const isOver = error instanceof RefusedTooEarly || refusal?.endsOperation;
    const release = isFree ? deleteKey(pool, keyed, lease) : releaseLease(pool, keyed, lease, isOver);
    // If the database is unreachable, the lease expires by itself.
    await release.catch(() => {});
    throw error;
  } finally {
    clearInterval(timer);
  }
}

function isPinned({ status, code, endsOperation }: ApiError): boolean {
  if (PASSING.has(code) || (status === 409 && endsOperation)) return false;
  return [400, 404, 409, 422, 501].includes(status);
}

function answerTo(response: Response, { status, body, flowId }: HttpAnswer): Answer {
  const { requestId } = exchangeOf(response);
  const text = JSON.stringify({ ...body, request_id: requestId });
  return { status, body: text, requestId, flowId: flowId ?? null };
}

function refusalToPin(response: Response, { status, code, body }: ApiError): Answer {
  exchangeOf(response).errorCode = code;
  return answerTo(response, { status, body });
}

function toPin(answer: Answer, { scope, key }: KeyedRequest, box: SecretBox | undefined): PinnedAnswer {
  return box ? sealAnswer(box, answer, pinnedAnswerOf(scope, key)) : answer;
}

function opened(pinned: PinnedAnswer, { scope, key }: KeyedRequest, box: SecretBox | undefined): Answer {
  if ('body' in pinned) return pinned;
  if (!box) throw new Error('encrypted response on a route without sealWith');
  return openAnswer(box, pinned, pinnedAnswerOf(scope, key));
}

function replay(response: Response, answer: Answer): void {
  response.set('Idempotency-Replayed', 'true');
  send(response, answer);
}

function send(response: Response, { status, body, requestId, flowId }: Answer): void {
  response.set('x-request-id', requestId);
  if (flowId !== null) response.set('x-service-flow-id', flowId);
  response.status(status).type('json').send(body);
}
