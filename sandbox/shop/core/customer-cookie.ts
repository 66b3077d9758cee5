/** The shop's reference for a visitor; a shop with accounts would use the account's id. */
import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';

const COOKIE = /(?:^|; )customer=(visitor-[0-9a-f-]{36})(?:;|$)/;
const ONE_YEAR_MS = 31_536_000_000;

export function customerOf(request: Request, response: Response): string {
  const known = COOKIE.exec(request.headers.cookie ?? '')?.[1];
  if (known) return known;
  const customer = `visitor-${randomUUID()}`;
  response.cookie('customer', customer, { httpOnly: true, sameSite: 'lax', maxAge: ONE_YEAR_MS });
  return customer;
}
