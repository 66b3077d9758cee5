/** Request fields shared by several calls. */
import { z } from 'zod';
import { Refusal } from '../core/refusal.ts';
import type { Account } from '../db/accounts.ts';

/** The caller's reference for a charge or refund; never reused within its account. */
export const referenceSchema = z.string().regex(/^[\w.:-]{1,200}$/);
/** Integer cents. */
export const amountSchema = z.number().int().min(0).max(99_999_999);
export const currencySchema = z.string().regex(/^[A-Z]{3}$/);

export function assertCurrency({ currencies }: Account, currency: string): void {
  if (!currencies.includes(currency)) {
    throw new Refusal(403, 'currency_not_enabled', `the account cannot charge ${currency}`);
  }
}

/** Rows in one page of a list. */
export const PAGE_SIZE = 500;

export const listSchema = z.object({
  since: z.iso.datetime({ offset: true }),
  after: z
    .string()
    .regex(/^\d{4}(-\d\d){2}T\d\d(:\d\d){2}\.\d{6}Z~[\w.:-]+$/)
    .optional(),
});
