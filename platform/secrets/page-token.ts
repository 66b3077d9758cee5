/**
 * The secret in a hosted page's URL: whoever has it may pay. The database stores its hash, to find the session, and the
 * encrypted token, for the return from the bank and for repeated requests.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { SecretBox } from './encryption.ts';
import { pageTokenOf } from './places.ts';

export interface StoredPageToken {
  /** Encrypted. */
  readonly page_token: Buffer;
  readonly page_token_hash: Buffer;
}

export function createPageToken(box: SecretBox, prefix: 'ap_chk_' | 'ap_pmc_' | 'ap_lnk_') {
  const token = prefix + randomBytes(32).toString('hex');
  const hash = createHash('sha256').update(token).digest();
  return { hash, sealed: box.seal(token, pageTokenOf(hash)) };
}

export function openPageToken(box: SecretBox, session: StoredPageToken): string {
  return box.open(session.page_token, pageTokenOf(session.page_token_hash));
}
