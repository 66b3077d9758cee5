/** A click on Pay: what the page sends, and which clicks are refused before they are stored. */
import { z } from 'zod';
import { email, printedText, requiredText } from '../../contract/core/text.ts';
import { tidyEmail } from '../../domain/core/email.ts';
import { METHOD_TYPES, type MethodType } from '../../domain/payment/payment-method.ts';
import type { PageErrorCode } from '../document/answers.ts';
import type { Loaded } from './load.ts';

export const clickBody = z.object({
  /** Created by the page for each click; a retry sends the same id. */
  claimId: z.uuid(),
  methodType: z.enum(METHOD_TYPES),
  methodToken: requiredText(500),
  email: z.string().max(640).transform(tidyEmail).nullish(),
  /** A spelling of the buyer's name that invoices can print; null if the field was left empty. */
  name: z
    .string()
    .max(640)
    .transform((typed) => typed.trim() || null)
    .nullish(),
  quantity: z.int().nullish(),
  /** The amount that the page showed for this click; no other amount is charged. */
  amount: z.int().nullish(),
  /** The coupon that the page showed; absent without a coupon. With another one, later charges could differ. */
  couponId: requiredText(100).nullish(),
  /** `serverTime` of the document that the tab loaded first, for the payment's history. */
  openedAt: z.iso.datetime().nullish().catch(null),
  /** Payment links only: true if the method also pays the subscription's later charges. */
  keepsMethod: z.boolean().nullish(),
  proof: z.string().max(200).nullish(),
});
const anEmail = email(320);
const aName = printedText(160);
export type ClickBody = z.infer<typeof clickBody>;

export function refusalOf(loaded: Loaded, body: ClickBody): PageErrorCode | null {
  const methods: readonly MethodType[] = loaded.view.methods;
  if (!methods.includes(body.methodType)) return 'method_not_available';
  if (!isSold(loaded, body.quantity ?? null)) return 'quantity_invalid';
  if (loaded.view.nameToSpell && body.name && !aName.safeParse(body.name).success) return 'name_unprintable';
  if (loaded.session.email_confirmed) return null;
  const typed = emailOf(loaded, body);
  if (!typed) return 'email_required';
  return anEmail.safeParse(typed).success ? null : 'email_invalid';
}

/** True if the buyer may choose this quantity; null keeps the session's quantity. */
function isSold({ session }: Loaded, quantity: number | null): boolean {
  if (quantity === null || quantity === session.quantity) return true;
  const choice = session.terms.product.quantity;
  return choice !== null && quantity >= choice.min && quantity <= choice.max;
}

export function emailOf({ session }: Loaded, body: ClickBody): string | null {
  return body.email || session.email;
}

export function messageOf(error: z.ZodError): string {
  const issue = error.issues[0];
  return `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`;
}
