/** Downloads that give up after 10 s without data. */
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const SILENCE_MS = 10_000;

/** @throws Error with the reason in a few words */
export async function download(url: string, file: string, silenceMs = SILENCE_MS): Promise<void> {
  const silence = new AbortController();
  const giveUp = () => silence.abort(new Error(`no answer for ${silenceMs / 1_000} s`));
  let timer = setTimeout(giveUp, silenceMs);
  const heard = new Transform({
    transform(chunk, _encoding, done) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, silenceMs);
      done(null, chunk);
    },
  });
  try {
    const response = await fetch(url, { signal: silence.signal });
    if (!response.ok || !response.body) throw new Error(`answered ${response.status}`);
    await pipeline(Readable.from(response.body), heard, createWriteStream(file), { signal: silence.signal });
  } catch (error) {
    const reason = silence.signal.aborted ? silence.signal.reason : error;
    throw new Error(`${new URL(url).host}: ${describe(reason)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Checked by shape: in Jest's VM context, `instanceof Error` is false for Node's errors. */
function describe(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  const reason = cause?.code ?? cause?.message;
  return reason ? `${message} (${reason})` : (message ?? String(error));
}

/** @returns undefined if the address answers in time, otherwise the reason in a few words */
export async function answers(url: string, silenceMs = SILENCE_MS): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(silenceMs) });
    await response.body?.cancel();
    return response.ok ? undefined : `${new URL(url).host}: answered ${response.status}`;
  } catch (error) {
    return `${new URL(url).host}: ${describe(error)}`;
  }
}
