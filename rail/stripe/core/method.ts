/** The part of a payment method's card that may be displayed. */
import { z } from 'zod';
import { isWallet, type MethodSummary } from '../../../domain/payment/payment-method.ts';

export const methodSchema = z.object({
  id: z.string(),
  type: z.string().nullish(),
  card: z
    .object({
      brand: z.string().nullish(),
      last4: z.string().nullish(),
      fingerprint: z.string().nullish(),
      wallet: z.object({ type: z.string() }).nullish(),
    })
    .nullish(),
});
export type Method = z.infer<typeof methodSchema>;

export function summaryOf(method: Method | null | undefined): MethodSummary | null {
  if (!method?.card) return null;
  const { brand, last4, wallet } = method.card;
  return {
    type: isWallet(wallet?.type) ? wallet.type : 'card',
    brand: brand ?? null,
    last4: last4 ?? null,
  };
}

/** Returns the fingerprint, which identifies a card within one Stripe account. */
export function fingerprintOf(method: Method | null | undefined): string | null {
  return method?.card?.fingerprint ?? null;
}
