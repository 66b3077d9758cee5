/** Sends requests as the contract advises: with a time limit, at most three attempts, and one idempotency key. */
import { ApiError, ConnectionError, RequestTimeoutError } from './errors.ts';
import { explain, notThisApi } from './explain.ts';

export interface ClientOptions {
  /** The installation's address: `https://pay.example.org`. Defaults to HOSTED_CHECKOUT_URL of the environment. */
  readonly baseUrl?: string | undefined;
  /** Time limit of each attempt; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  /** Number of attempts, including the first; 3 by default. */
  readonly maxAttempts?: number | undefined;
  /** Replaces the global `fetch`, for a proxy or for tests. */
  readonly fetch?: typeof fetch | undefined;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxAttempts?: number | undefined;
}

export interface KeyedOptions extends RequestOptions {
  /**
   * Defaults to a random key, which covers the attempts of this call. To be able to repeat a call after a crash, store
   * your own key before the call: the same key has one effect.
   */
  readonly idempotencyKey?: string | undefined;
}

interface Call {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly keyed?: boolean;
  readonly text?: boolean;
  readonly options?: KeyedOptions | undefined;
}

type Send = <Answer>(method: string, path: string, call: Call) => Promise<Answer>;

/** Operations on one kind of object. */
export class Group {
  protected readonly call: Send;

  constructor(call: Send) {
    this.call = call;
  }
}

const CONTRACT_VERSION = '2026-01-01';
const FIRST_WAIT_MS = 250;
/** The caller does not wait for a longer `Retry-After`: the error contains it. */
const LONGEST_WAIT_MS = 5_000;
/** Statuses of requests that were not executed, regardless of the operation. */
const NEVER_STARTED: ReadonlySet<number> = new Set([408, 429]);
const TRANSIENT: ReadonlySet<number> = new Set([500, 502, 503, 504]);
/** `fetch` trims white space, which would make it a different key. */
const KEY_FORM = /^(?! )[\x20-\x7e]{1,255}(?<! )$/;
/** `fetch` resolves dots: the request would reach another operation. */
const NO_ID = /\/(\.{0,2}|undefined|null)(\/|$)/;
const WITH_MARK = new TextDecoder('utf-8', { ignoreBOM: true });
/** The only 409 that another attempt can change: the first request is still running. */
const STILL_RUNNING = 'idempotency_key_in_progress';

type Outcome =
  | { readonly answer: unknown }
  /** `retryAfter` in seconds. */
  | { readonly error: Error; readonly retryAfter?: number };

export class Caller {
  readonly baseUrl: string;
  readonly #apiKey: string;
  readonly #options: ClientOptions;

  constructor(apiKey: string, options: ClientOptions = {}) {
    const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process
      ?.env;
    const baseUrl = options.baseUrl ?? environment?.HOSTED_CHECKOUT_URL;
    if (!apiKey) throw new TypeError('The API key is missing: new HostedCheckout(apiKey, { baseUrl }).');
    // `fetch` would reject such a key with an error that quotes it.
    if (!/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new TypeError(
        'The API key contains white space or a character outside ASCII: it was probably copied together with other text.',
      );
    }
    if (!baseUrl) {
      throw new TypeError(
        'The address of the installation is missing: pass { baseUrl }, or set HOSTED_CHECKOUT_URL.',
      );
    }
    if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
      throw new TypeError(
        `${baseUrl} is not an installation's address, which begins with https:// or http://.`,
      );
    }
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.#apiKey = apiKey;
    this.#options = options;
  }

  /** Bound, because the groups call it. */
  protected readonly call: Send = async (method, path, call) => {
    const { keyed = false, options = {} } = call;
    if (NO_ID.test(path)) throw new TypeError(`An id is missing in ${path}.`);
    if (!keyed && options.idempotencyKey !== undefined) {
      throw new TypeError(`${method} ${path} takes no idempotencyKey.`);
    }
    const key = keyed ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    if (key !== undefined && !KEY_FORM.test(key)) {
      throw new TypeError(
        'idempotencyKey must be 1 to 255 printable ASCII characters, without leading or trailing spaces.',
      );
    }
    const sent = call.body === undefined ? undefined : jsonOf(call.body);
    const maxAttempts = options.maxAttempts ?? this.#options.maxAttempts ?? 3;
    // Creating a session twice is harmless: the buyer sees and pays for only one of the two.
    const isRepeatable = keyed || method === 'GET' || (method === 'POST' && path === '/v1/checkouts');
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(method, path, call, sent, key);
      if ('answer' in outcome) return outcome.answer as never;
      const waitMs = waitAfter(outcome, attempt, isRepeatable);
      if (attempt >= maxAttempts || waitMs === null) throw outcome.error;
      await pause(waitMs, options.signal);
    }
  };

  async #attempt(
    method: string,
    path: string,
    { query, text, options = {} }: Call,
    body?: string,
    key?: string,
  ): Promise<Outcome> {
    const url = new URL(this.baseUrl + path);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? 30_000;
    const timeLimit = AbortSignal.timeout(timeoutMs);
    const send = this.#options.fetch ?? fetch;
    try {
      const response = await send(url, {
        method,
        headers: {
          Authorization: `Bearer ${this.#apiKey}`,
          'Service-Version': CONTRACT_VERSION,
          Accept: text ? '*/*' : 'application/json',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(key && { 'Idempotency-Key': key }),
        },
        // A redirect would send the key elsewhere, or turn a POST into a GET.
        redirect: 'manual',
        signal: options.signal ? AbortSignal.any([options.signal, timeLimit]) : timeLimit,
        ...(body !== undefined && { body }),
      });
      // `text()` removes the byte order mark, which Excel needs.
      const received = text ? WITH_MARK.decode(await response.arrayBuffer()) : await response.text();
      return this.#read(response, received, text ?? false, key);
    } catch (cause) {
      options.signal?.throwIfAborted();
      if (timeLimit.aborted) return { error: new RequestTimeoutError(timeoutMs, key, cause) };
      return { error: new ConnectionError(this.baseUrl, key, cause) };
    }
  }

  #read(response: Response, received: string, isText: boolean, key?: string): Outcome {
    if (response.ok && isText) return { answer: received };
    const answer = parsed(received);
    if (response.ok && answer) return { answer };
    const { code = 'unexpected_response', message, request_id, field, reason, limit, total } = answer ?? {};
    const isOurs = typeof answer?.code === 'string';
    const hint = isOurs ? explain(String(code), this.#apiKey, this.baseUrl) : notThisApi(this.baseUrl);
    const retryAfter = secondsOf(response.headers.get('retry-after'));
    const error = new ApiError({
      status: response.status,
      code: String(code),
      message: [message ?? `The response with status ${response.status} is not from this API.`, hint]
        .filter(Boolean)
        .join(' '),
      requestId: String(request_id ?? response.headers.get('x-request-id') ?? '') || null,
      retryAfterSeconds: retryAfter || null,
      field: typeof field === 'string' ? field : null,
      reason: typeof reason === 'string' ? reason : null,
      limit: typeof limit === 'number' ? limit : null,
      total: typeof total === 'number' ? total : null,
      idempotencyKey: key ?? null,
    });
    return { error, retryAfter };
  }
}

/** @throws TypeError for numbers and dates that JSON would turn into null, which could mean something else */
function jsonOf(body: unknown): string {
  return JSON.stringify(body, function (this: Readonly<Record<string, unknown>>, name, value) {
    const given = this[name];
    // Dates and `new Number(…)` are objects whose value is a number.
    const plain: unknown = given instanceof Object ? given.valueOf() : given;
    if (typeof plain === 'number' && !Number.isFinite(plain)) {
      throw new TypeError(`${name} is ${given}: JSON would turn it into null.`);
    }
    return value;
  });
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === 'object' ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** @returns seconds from now, 0 without the header; NaN for a value that is neither a number nor a date */
function secondsOf(retryAfter: string | null): number {
  if (retryAfter === null) return 0;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  if (!retryAfter.endsWith('GMT')) return Number.NaN;
  return Math.max(0, Math.ceil((Date.parse(retryAfter) - Date.now()) / 1_000));
}

/** @returns null if another attempt is useless, or could take effect twice */
function waitAfter(
  { error, retryAfter = 0 }: Extract<Outcome, { error: Error }>,
  attempt: number,
  isRepeatable: boolean,
): number | null {
  const doubled = FIRST_WAIT_MS * 2 ** (attempt - 1);
  if (!(error instanceof ApiError)) return isRepeatable ? doubled : null;
  const { status, code } = error;
  const mayHelp =
    NEVER_STARTED.has(status) || (isRepeatable && (TRANSIENT.has(status) || code === STILL_RUNNING));
  // If Retry-After is unreadable (NaN), give up: any wait would contradict the server.
  const waitMs = Math.max(doubled, retryAfter * 1_000);
  return mayHelp && waitMs <= LONGEST_WAIT_MS ? waitMs : null;
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
