/**
 * URLs of branding previews, which contain the branding encrypted. Only callers who may read the merchant get such a
 * URL, nothing is stored, and only validated values reach the page.
 */
import type { Environment } from '../../domain/core/environment.ts';
import type { SecretBox } from '../../platform/secrets/encryption.ts';
import { brandingPreview } from '../../platform/secrets/places.ts';

/** Path of previews below `/pay`. */
export const PREVIEW = 'preview';
/** Short, because the dashboard loads the document immediately and does not use the URL again. */
const LIFETIME_MS = 10 * 60_000;

export interface BrandingPreview {
  readonly name: string;
  readonly logoUrl: string | null;
  readonly color: string | null;
  readonly language: string | null;
  readonly environment: Environment;
  /** The origin that may frame the preview, in addition to the API's own. */
  readonly framedBy: string | null;
}

interface Sealed {
  readonly preview: BrandingPreview;
  readonly expiresAtMs: number;
}

export function previewAddress(
  secretBox: SecretBox,
  preview: BrandingPreview,
  nowMs: number,
): { readonly path: string; readonly expiresAt: string } {
  const expiresAtMs = nowMs + LIFETIME_MS;
  const content: Sealed = { preview, expiresAtMs };
  const sealed = secretBox.seal(JSON.stringify(content), brandingPreview).toString('base64url');
  return { path: `/pay/${PREVIEW}/${sealed}`, expiresAt: new Date(expiresAtMs).toISOString() };
}

/** Returns the preview's content; null if the URL was altered, is too old, or comes from another installation. */
export function openPreview(secretBox: SecretBox, sealed: string, nowMs: number): BrandingPreview | null {
  try {
    const opened = secretBox.open(Buffer.from(sealed, 'base64url'), brandingPreview);
    const { preview, expiresAtMs }: Sealed = JSON.parse(opened);
    return expiresAtMs > nowMs ? preview : null;
  } catch {
    return null;
  }
}
