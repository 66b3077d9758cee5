/** `GET /fields?account=&origin=&lang=`: the card-field document, which only that origin may frame. */
import { type Request, Router } from 'express';
import { Refusal } from '../core/refusal.ts';
import { type Account, accountById } from '../db/accounts.ts';
import type { Context } from '../operations/context.ts';
import { fieldsPage } from '../pages/fields.ts';
import { languageOf } from './languages.ts';

export function fieldsRoutes({ pool }: Context): Router {
  const router = Router();
  router.get('/fields', async (request, response) => {
    const account = await accountById(pool, textOf(request, 'account'));
    if (!account) throw new Refusal(404, 'account_not_found', 'the account does not exist');
    const parentOrigin = allowedOrigin(account, textOf(request, 'origin'));
    response.set('Content-Security-Policy', contentSecurityPolicy(parentOrigin));
    response
      .type('html')
      .send(fieldsPage({ account: account.id, parentOrigin, language: languageOf(request) }));
  });
  return router;
}

function textOf({ query }: Request, name: string): string {
  const value = query[name];
  return typeof value === 'string' ? value : '';
}

/** @throws Refusal if malformed or not one of the account's origins */
function allowedOrigin({ pageOrigins }: Account, origin: string): string {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== origin) {
    throw new Refusal(400, 'origin_invalid', 'origin must be the exact origin of the page');
  }
  if (pageOrigins.length > 0 && !pageOrigins.includes(origin)) {
    throw new Refusal(403, 'origin_not_allowed', 'the account does not allow this origin');
  }
  return origin;
}

function contentSecurityPolicy(parentOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${parentOrigin}`,
  ].join('; ');
}
