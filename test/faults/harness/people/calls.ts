/** HTTP as merchants and buyers send it: with a time-out, recorded, and repeated as the contract advises. */
import { setTimeout as pause } from 'node:timers/promises';
import { now, type Recorder } from '../core/record.ts';

const TIMEOUT_MS = 8_000;
const BETWEEN_TRIES_MS = 400;

export interface Answer {
  /** 0 without a response. */
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a client looks at what came, whatever it is.
  readonly body: any;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string;
  readonly body?: object;
}

export async function send(recorder: Recorder, { method, url, headers, key, body }: Call): Promise<Answer> {
  const sentAt = now();
  const text = body === undefined ? null : JSON.stringify(body);
  let status = 0;
  let answer: string | null = null;
  let parsed: unknown = null;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(text !== null && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...headers,
      },
      ...(text !== null && { body: text }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    answer = await response.text();
    parsed = answer === '' ? null : JSON.parse(answer);
    status = response.status;
  } catch {
    // Without a complete response the effect is unknown.
  }
  const path = new URL(url).pathname;
  // The lists after the run show the result of reads; page states are recorded separately, and requests that
  // only the rail receives are not.
  if (method === 'POST' && /^\/(v1|pay)\//.test(path)) {
    const exchange = {
      method,
      path,
      key: key ?? null,
      body: text,
      sentAt,
      answeredAt: now(),
      status,
      answer,
    };
    recorder.exchanges.push(exchange);
  }
  return { status, body: parsed };
}

/** Whether the contract asks a client to repeat the request under its key (docs/contract.md#idempotency). */
export function isToRepeat({ status, body }: Answer): boolean {
  const isTransient = status === 0 || status === 408 || status === 429 || status >= 500;
  return isTransient || body?.code === 'idempotency_key_in_progress';
}

/** @returns the last response; when the time is up, one that asks for a repeat */
export async function sendUntilAnswered(recorder: Recorder, call: Call, withinMs: number): Promise<Answer> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await send(recorder, call);
    if (!isToRepeat(answer) || answer.status === 501 || performance.now() > end) return answer;
    await pause(BETWEEN_TRIES_MS);
  }
}
