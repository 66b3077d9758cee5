/**
 * Content security policies of the page's documents. The page itself frames only the rail's card fields and its own
 * challenge document; only the challenge document may frame a bank, whose origin is not known in advance.
 */
import { randomBytes } from 'node:crypto';
import type { Response } from 'express';

export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

export interface PagePolicy {
  readonly nonce: string;
  readonly fieldsOrigin: string | null;
  readonly logoUrl: string | null;
}

export function setPagePolicy(res: Response, { nonce, fieldsOrigin, logoUrl }: PagePolicy): void {
  setPolicy(res, {
    'script-src': [`'nonce-${nonce}'`],
    'style-src': [`'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:', ...(logoUrl ? [new URL(logoUrl).origin] : [])],
    'connect-src': ["'self'"],
    'frame-src': ["'self'", ...(fieldsOrigin ? [fieldsOrigin] : [])],
    'frame-ancestors': ["'none'"],
  });
  res.set('X-Frame-Options', 'DENY');
  res.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
}

/**
 * Sets the preview's policy: no sending, framing or submitting, and an opaque origin, so that it shares nothing with
 * the page or the dashboard.
 */
export function setPreviewPolicy(
  res: Response,
  { nonce, logoUrl, framedBy }: { nonce: string; logoUrl: string | null; framedBy: string | null },
): void {
  setPolicy(res, {
    sandbox: ['allow-scripts'],
    'script-src': [`'nonce-${nonce}'`],
    'style-src': [`'nonce-${nonce}'`],
    'img-src': ['data:', ...(logoUrl ? [new URL(logoUrl).origin] : [])],
    'frame-ancestors': ["'self'", ...(framedBy ? [framedBy] : [])],
  });
}

/** @param loopback allows the simulated bank of development: plain http on this machine */
export function setChallengePolicy(res: Response, nonce: string, loopback: boolean): void {
  setPolicy(res, {
    'script-src': [`'nonce-${nonce}'`],
    'style-src': [`'nonce-${nonce}'`],
    'frame-src': ["'self'", 'https:', ...(loopback ? ['http://localhost:*', 'http://127.0.0.1:*'] : [])],
    'frame-ancestors': ["'self'"],
  });
  res.set('X-Frame-Options', 'SAMEORIGIN');
}

function setPolicy(res: Response, directives: Readonly<Record<string, readonly string[]>>): void {
  const { reportsPath } = res.locals;
  const policy = Object.entries(directives).map(([name, sources]) => `${name} ${sources.join(' ')}`);
  res.set({
    'Content-Security-Policy': [
      "default-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      ...policy,
      // Browsers that know report-to ignore report-uri.
      'report-to policy',
      `report-uri ${reportsPath}`,
    ].join('; '),
    'Reporting-Endpoints': `policy="${reportsPath}"`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    // Wallets and some banks open a window and exchange messages with the page.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cache-Control': 'no-store',
    // The URL is a credential and must not be indexed.
    'X-Robots-Tag': 'noindex, nofollow',
  });
}
