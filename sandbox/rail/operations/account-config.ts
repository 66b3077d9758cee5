/** Schema of an account in `RAIL_ACCOUNTS` and `POST /admin/accounts`. */
import { z } from 'zod';
import { CURRENCIES } from '../../../domain/core/money.ts';
import { WALLETS } from '../../../domain/payment/payment-method.ts';
import type { AccountSettings } from '../db/accounts.ts';

export const accountSchema = z
  .object({
    /** Public: part of the card fields' URL. */
    id: z.string().regex(/^[\w-]{1,100}$/),
    /** The bearer credential of the adapter. */
    secret: z.string().regex(/^[\x21-\x7e]{16,200}$/, '16 to 200 printable characters'),
    status: z.enum(['activating', 'active', 'disabled']).default('active'),
    /** Shown on the challenge page. */
    merchantName: z.string().min(1).max(100).default('Demo merchant'),
    webhookUrl: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null),
    webhookSecret: z.string().min(16).nullable().default(null),
    /** Origins that may frame the card fields; empty: any. */
    pageOrigins: z.array(z.url({ protocol: /^https?$/ })).default([]),
    currencies: z.array(z.string().length(3)).default([...CURRENCIES]),
    wallets: z.array(z.enum(WALLETS)).default([...WALLETS]),
  })
  .refine(({ webhookUrl, webhookSecret }) => webhookUrl === null || webhookSecret !== null, {
    message: 'a webhookUrl needs a webhookSecret',
  });

/** Optional fields take their defaults. */
export type AccountInput = z.input<typeof accountSchema>;

export function parseAccount(input: unknown): AccountSettings {
  return accountSchema.parse(input);
}
