/**
 * The secret in a hosted page's URL: any client that has it may pay. The database finds it by its hash and keeps it
 * sealed, for the return from the bank and for repeated requests.
 */
import { createHash, randomBytes } from 'node:crypto';
import { pageTokenOf } from './places.ts';
import type { SecretBox } from './secret-box.ts';

export interface StoredPageToken {
  /** Sealed; null in a row of the previous release. */
  readonly page_token: Buffer | null;
  readonly page_token_hash: Buffer | null;
  /** In plain text, until the sweep seals it. */
  readonly session_id: string | null;
}

export function createPageToken(box: SecretBox, prefix: 'ap_chk_' | 'ap_pmc_') {
  const token = prefix + randomBytes(32).toString('hex');
  return { ...sealPageToken(box, token), plain: box.previousReleaseRuns ? token : null };
}

export function sealPageToken(box: SecretBox, token: string) {
  const hash = createHash('sha256').update(token).digest();
  return { hash, sealed: box.seal(token, pageTokenOf(hash)), plain: null };
}

export function openPageToken(
  box: SecretBox,
  { page_token: sealed, page_token_hash: hash, session_id: plain }: StoredPageToken,
): string {
  if (sealed && hash) return box.open(sealed, pageTokenOf(hash));
  if (plain === null) throw new TypeError('the session has no page token');
  return plain;
}
