/** Files held in memory and compressed once, and documents compressed for each request. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

export interface Compressed {
  readonly type: string;
  readonly body: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
  /** A weak tag, because it is the same for every encoding. */
  readonly etag: string;
}

/**
 * Larger files are compressed at quality 9 instead of 11: the API description takes 0.1 s of CPU time instead of 2 s, and
 * its size is 8 % larger.
 */
const LARGE = 500_000;

export async function compress(type: string, body: Buffer): Promise<Compressed> {
  const quality = body.length > LARGE ? 9 : constants.BROTLI_DEFAULT_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(body, { params }), promisify(gzip)(body)]);
  const etag = `W/"${createHash('sha256').update(body).digest('base64url')}"`;
  return { type, body, br, gzip: gz, etag };
}

/** Compressed, the page takes 6 kB instead of 16: 50 ms less on a slow phone's connection. */
export async function sendDocument(request: Request, response: Response, html: string): Promise<void> {
  response.type('html').vary('Accept-Encoding');
  if (!request.acceptsEncodings('gzip')) return void response.send(html);
  response.set('Content-Encoding', 'gzip').send(await promisify(gzip)(html));
}

/** Sends a file, or 304 to a client that already has it. */
export function sendCompressed(
  request: Request,
  response: Response,
  file: Compressed,
  cacheControl: string,
): void {
  const encoding = request.acceptsEncodings('br', 'gzip', 'identity');
  const compressed = encoding === 'br' || encoding === 'gzip' ? file[encoding] : undefined;
  response.set({
    'Content-Type': file.type,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': cacheControl,
    ETag: file.etag,
    Vary: 'Accept-Encoding',
    ...(compressed && { 'Content-Encoding': encoding as string }),
  });
  response.send(compressed ?? file.body);
}
