import { createHash } from 'node:crypto';

/** As the attribute `integrity` and content security policies write it. */
export function integrityOf(text: string | Buffer): string {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`;
}
