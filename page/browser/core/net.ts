/** Requests to our own server. Without a clear response the result is `unreachable`: unknown, never "failed". */
import type { ClickResult, PageErrorCode } from '../../document/answers.ts';
import type { PageView } from '../../document/view.ts';

export type Answer =
  | { readonly kind: 'view'; readonly view: PageView; readonly result: ClickResult | undefined }
  | { readonly kind: 'refused'; readonly code: PageErrorCode; readonly puzzle?: string }
  | { readonly kind: 'unreachable' };
export type Settled = Exclude<Answer, { kind: 'unreachable' }>;

type PostPath = 'pay' | 'code' | 'cancel' | 'challenge-complete';

/** Longer than the click waits in the queue (6 s) and the update's deadline (8 s) together. */
const POST_TIMEOUT_MS = 15_000;
const GET_TIMEOUT_MS = 8_000;

/** A 503 that need not be repeated, because nothing new is charged for minutes. */
const PAUSED: PageErrorCode = 'payment_rail_unavailable';

const base = location.pathname.replace(/\/$/, '');
export const lang = new URLSearchParams(location.search).get('lang');

export function urlOf(path: string): string {
  return `${base}/${path}${lang ? `?lang=${encodeURIComponent(lang)}` : ''}`;
}

export function getState(): Promise<Answer> {
  return request('state', { method: 'GET', signal: AbortSignal.timeout(GET_TIMEOUT_MS) });
}

function post(path: PostPath, body: object): Promise<Answer> {
  return request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    // Lets the request complete even if the buyer closes the page now.
    keepalive: true,
    signal: AbortSignal.timeout(POST_TIMEOUT_MS),
  });
}

async function request(path: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(urlOf(path), { cache: 'no-store', redirect: 'error', ...init });
    const body = await response.json();
    if (response.ok && typeof body.version === 'number')
      return { kind: 'view', view: body, result: body.claim };
    const refused = (response.status >= 400 && response.status < 500) || body.code === PAUSED;
    if (refused && typeof body.code === 'string') {
      return { kind: 'refused', code: body.code, puzzle: body.challenge };
    }
    return { kind: 'unreachable' };
  } catch {
    return { kind: 'unreachable' };
  }
}

/**
 * Repeats a request until the server answers, immediately when the network returns. Null once `isSettled`.
 */
export async function postUntilAnswered(
  path: PostPath,
  body: object,
  isSettled: () => boolean,
  onUnreachable = () => {},
): Promise<Settled | null> {
  for (let tries = 0; !isSettled(); tries++) {
    const answer = await post(path, body);
    // A refused code is not sent again: the view shows whether an earlier try was applied. A refused cancellation is,
    // because the buyer has confirmed it.
    const isRepeated = path === 'cancel' || (tries > 0 && path !== 'code');
    const wait =
      answer.kind === 'unreachable' ||
      (answer.kind === 'refused' && isRepeated && isAboutOneTry(answer.code));
    if (!wait) return answer;
    onUnreachable();
    await pause(Math.min(1_000 + 500 * tries, 3_000));
  }
  return null;
}

/** True for an error that concerns only this try: earlier tries may have arrived. */
function isAboutOneTry(code: string): boolean {
  return code === 'rate_limited' || code === PAUSED;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
  });
}

/** Creates a UUID without `crypto.randomUUID`, which exists only on https and loopback. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, i) =>
    (i === 6 ? (byte & 15) | 64 : i === 8 ? (byte & 63) | 128 : byte).toString(16).padStart(2, '0'),
  );
  return [4, 2, 2, 2, 6].map((length) => hex.splice(0, length).join('')).join('-');
}
