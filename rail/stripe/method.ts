/** The displayable part of a payment method's card. */
import { z } from 'zod';
import type { CardSummary } from '../rail.ts';

export const methodSchema = z.object({
  id: z.string(),
  type: z.string().nullish(),
  card: z
    .object({
      brand: z.string().nullish(),
      last4: z.string().nullish(),
      wallet: z.object({ type: z.string() }).nullish(),
    })
    .nullish(),
});
export type Method = z.infer<typeof methodSchema>;

export function summaryOf(method: Method | null | undefined): CardSummary | null {
  if (!method?.card) return null;
  const { brand, last4, wallet } = method.card;
  const isWallet = wallet?.type === 'apple_pay' || wallet?.type === 'google_pay';
  return {
    type: isWallet ? (wallet.type as 'apple_pay' | 'google_pay') : 'card',
    brand: brand ?? null,
    last4: last4 ?? null,
  };
}
