/** Fetches a merchant's picture once, guarded like webhooks. Follows no redirect. */
import { type Dispatcher, request } from 'undici';
import { keepUpTo } from '../bounded-body.ts';
import { describeError } from '../failure-words.ts';
import { MAX_BYTES, type StillImage, stillImageOf } from './still-image.ts';

export interface FetchOptions {
  /** An agent created by `createWebhookAgent`. */
  readonly agent: Dispatcher;
  /** Time limit for the whole response. */
  readonly timeoutMs: number;
  /** Queues the work that needs much CPU time. */
  readonly enqueue: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Returns the image, or a sentence that explains the failure. */
export async function fetchImage(url: string, options: FetchOptions): Promise<StillImage | string> {
  const file = await fetchFile(url, options);
  if (typeof file === 'string') return file;
  const image = await options.enqueue(() => stillImageOf(file));
  return typeof image === 'string' ? `The image ${image}.` : image;
}

async function fetchFile(url: string, { agent, timeoutMs }: FetchOptions): Promise<Buffer | string> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await request(url, { dispatcher: agent, signal, headers: { accept: 'image/*' } });
    const { statusCode, body } = answer;
    if (statusCode !== 200) {
      body.on('error', () => {}).destroy();
      const redirects = statusCode >= 300 && statusCode < 400 ? '; redirects are not followed' : '';
      return `The image's server answered ${statusCode}${redirects}.`;
    }
    const file: Buffer[] = [];
    await keepUpTo(MAX_BYTES + 1, body, file);
    return Buffer.concat(file);
  } catch (error) {
    if (signal.aborted) return `The image did not arrive within ${timeoutMs / 1_000} s.`;
    return `The image could not be fetched: ${describeError(error)}.`;
  }
}
