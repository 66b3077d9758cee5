import { createHash } from 'node:crypto';

/** Returns a hash in the format of the attribute `integrity` and of content security policies. */
export function integrityOf(text: string | Buffer): string {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`;
}
