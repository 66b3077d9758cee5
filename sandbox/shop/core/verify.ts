import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/** True if `rawBody`, the unparsed bytes, was signed with `secret`, with a timestamp within five minutes of now. */
export function isSigned(rawBody: Buffer, header: string | undefined, secret: string): boolean {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('='));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > TOLERANCE_SECONDS) return false;

  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
  return parts
    .filter(([name]) => name === 'v1')
    .map(([, hex]) => Buffer.from(hex ?? '', 'hex'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
