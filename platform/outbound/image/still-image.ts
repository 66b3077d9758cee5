/**
 * Re-encodes pictures, each in a separate process: the decoders are written in C and parse untrusted files, and the 200
 * MB that they would keep in the API's memory are freed. The process does not get the service's environment.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';

export interface StillImage {
  readonly type: 'jpg' | 'png' | 'webp';
  /** In pixels, as displayed. */
  readonly width: number;
  readonly height: number;
  readonly body: Buffer;
}

/** The first line that `re-encode.ts` writes. */
export type Encoded = Omit<StillImage, 'body'> | { readonly refused: string };

/** Size limit of both the fetched and the stored file. */
export const MAX_BYTES = 300_000;
const PROGRAM = join(import.meta.dirname, 're-encode.ts');
/** 25 times the duration for the largest image, because the machine may be under load. */
const TIMEOUT_MS = 12_000;

/** @returns the image, or why it is rejected: a predicate of “The image” */
export async function stillImageOf(file: Buffer): Promise<StillImage | string> {
  if (file.length > MAX_BYTES) return `is larger than ${MAX_BYTES / 1_000} kB`;
  const written = await outputFor(file);
  if (!written) return 'cannot be decoded';
  const end = written.indexOf('\n');
  const encoded = JSON.parse(written.toString('utf8', 0, end)) as Encoded;
  return 'refused' in encoded ? encoded.refused : { ...encoded, body: written.subarray(end + 1) };
}

/** @returns null if the decoder crashed or took too long */
function outputFor(file: Buffer): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const options = {
      env: {},
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: 2 * MAX_BYTES,
    } as const;
    const child = execFile(
      process.execPath,
      [PROGRAM],
      { ...options, encoding: 'buffer' },
      (error, output, problem) => {
        if (!error) return resolve(output);
        if (error.signal) return resolve(null);
        reject(new Error(`the image encoder failed: ${problem}`, { cause: error }));
      },
    );
    // A child that has ended reads no input.
    child.stdin?.on('error', () => {}).end(file);
  });
}
