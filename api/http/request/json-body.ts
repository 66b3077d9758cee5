/** Reads a JSON body: checks its size, then its type, then its content. */
import express, { type Request, type RequestHandler } from 'express';
import { ApiError, invalidRequest } from '../errors.ts';

const MAX_BYTES = 102_400;
/** Far deeper than any valid request; recursive readers overflow the stack at a few thousand levels. */
const MAX_DEPTH = 64;
const JSON_TYPE = /^application\/json *(;|$)/i;
const CHARSET = /; *charset *= *"?([^\s;"]+)"?/i;

const readBytes = express.raw({ type: () => true, limit: MAX_BYTES, inflate: false });
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Sets `request.body` to the JSON object, or to `{}` without a body. If the client disconnects first, the error goes to
 * `next` and is not sent.
 *
 * @throws ApiError 413, 415, 400 `invalid_json`, 400 `invalid_request` if the body is not an object
 */
export const readJsonBody: RequestHandler = (request, response, next) => {
  readBytes(request, response, (error?: unknown) => {
    if (error) return next(error);
    if (isLost(request)) return next(aborted());
    try {
      request.body = parse(request.body, request.headers['content-type']);
      next();
    } catch (refusal) {
      next(refusal);
    }
  });
};

/**
 * Returns true if the client closed the connection while the request waited, for instance for authentication: Express
 * then reads no body and reports no error. If the lost body counted as empty, it would use up the idempotency key of
 * the client's retry.
 */
function isLost({ body, headers }: Request): boolean {
  const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return isSent && !Buffer.isBuffer(body);
}

/** Creates the parser's error for a truncated body. */
const aborted = () => Object.assign(new Error('request aborted'), { type: 'request.aborted' });

function parse(bytes: unknown, contentType: string | undefined): Readonly<Record<string, unknown>> {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return {};
  if (!isJsonInUtf8(contentType)) throw new ApiError('unsupported_media_type');
  const body = parseJson(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest('The body must be a JSON object.', { field: null, reason: 'type' });
  }
  if (isDeeperThan(MAX_DEPTH, body)) {
    throw invalidRequest(`The body is nested more than ${MAX_DEPTH} levels deep.`, null);
  }
  return body as Record<string, unknown>;
}

/** Checks the depth level by level: recursion would overflow the stack here too. */
function isDeeperThan(depth: number, body: object): boolean {
  let level: readonly object[] = [body];
  for (let passed = 0; passed < depth; passed += 1) {
    level = level.flatMap((each) => Object.values(each)).filter((each) => typeof each === 'object' && each);
  }
  return level.length > 0;
}

function isJsonInUtf8(contentType: string | undefined): boolean {
  if (!contentType || !JSON_TYPE.test(contentType)) return false;
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase();
  return charset === undefined || charset === 'utf-8' || charset === 'utf8';
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError('invalid_json');
  }
}
