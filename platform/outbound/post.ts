/**
 * One POST of an event or an alert, which ends within its time limit, whatever the receiver does. Follows no
 * redirect and keeps at most 2 KiB of the response.
 */
import { type Dispatcher, request } from 'undici';
import { keepUpTo } from './bounded-body.ts';
import { describeError, describeStatus } from './failure-words.ts';
import { retryAfterSeconds } from './retry-after.ts';

export interface PostRequest {
  readonly url: string;
  /** The body, sent byte for byte. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PostResult {
  /** True for a 2xx, even if the response's body is incomplete. */
  readonly delivered: boolean;
  /** Null without a response. */
  readonly httpStatus: number | null;
  /** Why the delivery failed, for the merchant's developer; null on success. */
  readonly error: string | null;
  /** From the receiver's `Retry-After`. */
  readonly retryAfterSeconds: number | null;
  /** The first 2 KiB of the response's body, as text. */
  readonly response: string;
  readonly durationMs: number;
}

export interface PostOptions {
  readonly agent: Dispatcher;
  /** For the whole request: DNS look-up, connect, headers and body. */
  readonly timeoutMs: number;
  /** The wall clock, to interpret a `Retry-After` that is a date. */
  readonly nowMs?: () => number;
}

const RESPONSE_KEPT_BYTES = 2_048;

/**
 * Never throws for a failure of the receiver or the network.
 *
 * @throws the signal's reason when `stop` is aborted: whether the receiver has the event is then unknown
 */
export async function post(
  { url, body, headers }: PostRequest,
  options: PostOptions,
  stop: AbortSignal,
): Promise<PostResult> {
  const { agent, timeoutMs, nowMs = Date.now } = options;
  const startedAt = performance.now();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const onStop = () => deadline.abort(stop.reason);
  stop.addEventListener('abort', onStop, { once: true });
  let httpStatus: number | null = null;
  const kept: Buffer[] = [];
  const result = (error: string | null, retryAfter: number | null): PostResult => ({
    delivered: error === null,
    httpStatus,
    error,
    retryAfterSeconds: retryAfter,
    response: asText(kept),
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    stop.throwIfAborted();
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers,
      body,
      signal: deadline.signal,
    });
    httpStatus = answer.statusCode;
    const retryAfter = retryAfterSeconds(single(answer.headers['retry-after']), nowMs());
    // Only the status counts, even if the body is incomplete or takes too long.
    await keepUpTo(RESPONSE_KEPT_BYTES, answer.body, kept).catch(() => stop.throwIfAborted());
    return result(describeStatus(httpStatus), retryAfter);
  } catch (error) {
    stop.throwIfAborted();
    return result(
      deadline.signal.aborted ? `no response within ${timeoutMs / 1_000} s` : describeError(error),
      null,
    );
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

/** Makes text safe for PostgreSQL: no NUL, and no character cut at the limit. */
function asText(kept: readonly Buffer[]): string {
  return new TextDecoder().decode(Buffer.concat(kept), { stream: true }).replaceAll('\0', '\uFFFD');
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
