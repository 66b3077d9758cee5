/** Security headers of the shop's pages. */
import type { RequestHandler } from 'express';

/** @param services origins that scripts may connect to, besides the shop's own */
export function contentSecurityPolicy(services: readonly string[] = []): string {
  const connectTo = ["'self'", ...services].join(' ');
  return `default-src 'none'; style-src 'self'; script-src 'self'; connect-src ${connectTo}; img-src 'self'; base-uri 'none'; frame-ancestors 'none'`;
}

export const strictPolicy: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': contentSecurityPolicy(),
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
};
