/**
 * Probes whether an account can sell: creates the unconfirmed intents of a purchase, in each currency, and of a stored
 * card, then removes them. Moves no money, and is more reliable than reading the account's settings.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CURRENCIES, type Currency } from '../../../domain/core/money.ts';
import type { RailFinding, RailFindingCode } from '../../../domain/payment/rail-finding.ts';
import type { RailAccount } from '../../rail-account.ts';
import { type Answer, call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { createCustomer } from '../payment/customer.ts';
import { cancelIntent } from '../payment/intent-calls.ts';
import { type Intent, intentSchema } from '../payment/intent-schema.ts';
import { bad, good, reasonOf, why } from './findings.ts';

const CARDS_ONLY = { allowed_payment_method_types: ['card' as const] };
const PROBE_CENTS = 100;
const idSchema = z.object({ id: z.string().min(1) });
const createdSchema = intentSchema.and(z.object({ client_secret: z.string().min(1) }));
type Created = z.infer<typeof createdSchema>;

/** Whether the account can take cards in one of the service's currencies. */
export interface CurrencyFinding {
  readonly currency: Currency;
  readonly finding: RailFinding;
}

export async function probePurchases(
  api: StripeApi,
  { id }: RailAccount,
): Promise<{
  readonly sales: readonly CurrencyFinding[];
  readonly stores: RailFinding;
  /** The first PaymentIntent that was created; null if none could be created. */
  readonly intent: Created | null;
}> {
  const key = `${id}:probe:${randomUUID()}`;
  const metadata = { probe: id };
  const customer = await createCustomer(api, metadata, { idempotencyKey: `${key}:customer` });
  if (customer.kind !== 'answer') {
    const reason = `creating a customer failed: ${why(customer)}`;
    const values = { why: reasonOf(customer) };
    return {
      sales: CURRENCIES.map((currency) => ({
        currency,
        finding: bad('currency_not_taken', `${cannotSell(currency)}: ${reason}.`, { ...values, currency }),
      })),
      stores: bad('cards_not_stored', `${CANNOT_STORE}: ${reason}.`, values),
      intent: null,
    };
  }
  const common = { customer: customer.value, ...CARDS_ONLY, metadata };
  const created: Answer<Created>[] = [];
  const sales: CurrencyFinding[] = [];
  for (const currency of CURRENCIES) {
    const paid = await call(api, createdSchema, (stripe) =>
      stripe.paymentIntents.create(
        { ...common, amount: PROBE_CENTS, currency: currency.toLowerCase() },
        { idempotencyKey: `${key}:payment:${currency}` },
      ),
    );
    created.push(paid);
    const can = `It can take cards in ${currency}.`;
    const codes = ['currency_taken', 'currency_not_taken'] as const;
    const found = finding(paid, codes, cannotSell(currency), can);
    sales.push({ currency, finding: { ...found, values: { ...found.values, currency } } });
  }
  const stored = await call(api, intentSchema, (stripe) =>
    stripe.setupIntents.create({ ...common, usage: 'off_session' }, { idempotencyKey: `${key}:setup` }),
  );
  for (const answer of [...created, stored]) {
    if (answer.kind !== 'answer') continue;
    const { id: intent } = answer.value;
    await cancelIntent(api, intent, `${key}:cancel:${intent}`);
  }
  await call(api, idSchema, (stripe) =>
    stripe.customers.del(customer.value, {}, { idempotencyKey: `${key}:delete` }),
  );
  return {
    sales,
    stores: finding(
      stored,
      ['cards_stored', 'cards_not_stored'],
      CANNOT_STORE,
      'It can store cards and charge them later without the buyer.',
    ),
    intent: created.find((answer) => answer.kind === 'answer')?.value ?? null,
  };
}

/**
 * Reads an intent of the account as the buyer's browser does: with the key of another account, the buyers' cards would
 * go to that account.
 * @returns what is wrong with the publishable key; null if it belongs to the account
 */
export async function probePublishableKey(
  api: StripeApi,
  { publishableKey: apiKey = '' }: RailAccount['credential'],
  { id, client_secret }: Created,
  identity: string,
): Promise<RailFinding | null> {
  const read = await call(api, idSchema, (stripe) =>
    stripe.paymentIntents.retrieve(id, { client_secret }, { apiKey }),
  );
  if (read.kind === 'answer') return null;
  if (read.kind === 'unknown' && read.reason !== 'account_refused') {
    return bad('account_not_asked', `The publishable key could not be checked: ${why(read)}.`, {
      why: reasonOf(read),
    });
  }
  const text = `The publishable key does not belong to the account ${identity}: buyers would send their cards elsewhere.`;
  return bad('publishable_key_mismatch', text, { account: identity });
}

const cannotSell = (currency: Currency) => `It cannot take cards in ${currency}`;
const CANNOT_STORE = 'It cannot store cards';

/** Interprets a created intent: Stripe silently drops allowed methods that the account cannot take. */
function finding(
  created: Answer<Intent>,
  [can, cannot]: readonly [RailFindingCode, RailFindingCode],
  cannotText: string,
  canText: string,
): RailFinding {
  if (created.kind !== 'answer')
    return bad(cannot, `${cannotText}: ${why(created)}.`, { why: reasonOf(created) });
  if (created.value.methodTypes.includes('card')) return good(can, canText);
  const text = `${cannotText}: cards are switched off or not available to this account.`;
  return bad(cannot, text, { why: 'cards_off' });
}
