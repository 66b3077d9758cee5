/**
 * The commands that create a merchant, key, product or price, for installations without an identity provider, where the
 * routes for people are off. Each checks its options with the schema of the route that creates the same object.
 */
import type { z } from 'zod';
import { FIRST_KEY, makeApiKey, withSecret } from '../../api/merchant/api-keys/new-key.ts';
import { newPrice, refusalOfTerms } from '../../contract/catalogue/prices.ts';
import { newProduct } from '../../contract/catalogue/products.ts';
import { ERRORS, type ErrorCode } from '../../contract/core/errors.ts';
import { newApiKey } from '../../contract/merchant/api-keys.ts';
import { newMerchant } from '../../contract/merchant/merchants.ts';
import { createPrice } from '../../db/catalogue/prices.ts';
import { createProduct } from '../../db/catalogue/products.ts';
import { createApiKey } from '../../db/merchant/api-keys.ts';
import { createMerchant, findMerchantStatus } from '../../db/merchant/merchants.ts';
import {
  type OpsCommand,
  type OpsContext,
  parseOpsArgs,
  WrongArguments,
  wrongOption,
} from './core/command.ts';

const EXIT = 'Exit code: 0 if it was created, 1 if not, 2 for invalid arguments.';
const KEY_SHOWN_ONCE =
  'The key is shown once: only its hash is stored. Needs API_KEY_PEPPER unless "npm start" is running.';
const MERCHANT = 'merchant id (ap_mer_…)';
type Values = Readonly<Record<string, string | undefined>>;

export const merchantCreate: OpsCommand = {
  usage: 'merchant create --name <name>',
  help: `Creates a merchant, and its first API key, for the sandbox. ${KEY_SHOWN_ONCE}\n\n${EXIT}`,
  async run(args, ops) {
    const { fields, json } = given(args, ['name'], [], newMerchant);
    const made = makeApiKey(FIRST_KEY, ops.apiKeyPepper());
    const { merchant, apiKey } = await createMerchant(ops.pool, fields, made.stored, await acting(ops));
    const lines = [`Merchant ${merchant.id}`, `Its key for the sandbox, shown once: ${made.key}`];
    return print({ ...merchant, api_key: withSecret(apiKey, made.key) }, json, lines);
  },
};

export const keyCreate: OpsCommand = {
  usage:
    'key create <ap_mer_…> --environment sandbox|production --name <name> [--scope all|read|catalogue] ' +
    '[--expires-at <instant>]',
  help: `Creates an API key. ${KEY_SHOWN_ONCE}\n\n${EXIT}`,
  async run(args, ops) {
    const names = ['environment', 'name', 'scope', 'expires-at'];
    const { ids, fields, json } = given(args, names, [MERCHANT], newApiKey);
    const [merchantId = ''] = ids;
    if (!(await findMerchantStatus(ops.pool, merchantId))) return refuse('merchant_not_found');
    const { expires_at: endsAt = null, ...terms } = fields;
    const made = makeApiKey({ ...terms, endsAt }, ops.apiKeyPepper());
    const apiKey = await createApiKey(ops.pool, merchantId, made.stored, await acting(ops));
    if (typeof apiKey === 'string') return refuse(apiKey);
    return print(withSecret(apiKey, made.key), json, [`Key ${apiKey.id}, shown once: ${made.key}`]);
  },
};

export const productCreate: OpsCommand = {
  usage: 'product create <ap_mer_…> --name <name> [--description <text>] [--external-reference <text>]',
  help: `Creates a product, for both environments. It can be sold once it has a price.\n\n${EXIT}`,
  async run(args, ops) {
    const names = ['name', 'description', 'external-reference'];
    const { ids, fields, json } = given(args, names, [MERCHANT], newProduct);
    const [merchantId = ''] = ids;
    if (!(await findMerchantStatus(ops.pool, merchantId))) return refuse('merchant_not_found');
    const product = await createProduct(ops.pool, merchantId, fields, await acting(ops));
    return typeof product === 'string' ? refuse(product) : print(product, json, [`Product ${product.id}`]);
  },
};

export const priceCreate: OpsCommand = {
  usage:
    'price create <ap_mer_…> <ap_prod_…> --amount <cents> --tax-rate <percent> [--currency <code>] ' +
    '[--interval day|week|month|year [--interval-count <n>] [--trial-period-days <n>]]',
  help: `Creates a price, which replaces the active one: recurring with --interval, one-off without. Amounts include tax.\n\n${EXIT}`,
  async run(args, ops) {
    const names = ['amount', 'tax-rate', 'currency', 'interval', 'interval-count', 'trial-period-days'];
    const { ids, fields, json } = given(args, names, [MERCHANT, 'product id (ap_prod_…)'], newPrice, terms);
    const [merchantId = '', productId = ''] = ids;
    const refusal = refusalOfTerms(fields);
    if (refusal) return refuse(refusal);
    const price = await createPrice(ops.pool, { merchantId, productId }, fields, await acting(ops));
    return typeof price === 'string' ? refuse(price) : print(price, json, [`Price ${price.id}`]);
  },
};

function terms(values: Values): Readonly<Record<string, unknown>> {
  const recurring = {
    interval: values.interval,
    interval_count: wholeNumberOf(values, 'interval-count'),
    trial_period_days: wholeNumberOf(values, 'trial-period-days'),
  };
  const isRecurring = Object.values(recurring).some((value) => value !== undefined);
  return {
    amount: wholeNumberOf(values, 'amount'),
    tax_rate: numberOf(values['tax-rate']),
    currency: values.currency,
    billing_mode: isRecurring ? 'recurring' : 'one_time',
    ...(isRecurring && { recurring }),
  };
}

function numberOf(text: string | undefined): number | undefined {
  return text?.trim() ? Number(text) : undefined;
}

/**
 * JavaScript reads `19.00` as 19, which would be cents.
 * @throws WrongArguments
 */
function wholeNumberOf(values: Values, option: string): number | undefined {
  const text = values[option]?.trim();
  if (text && !/^\d+$/.test(text)) throw new WrongArguments(`--${option} must be a whole number.`);
  return numberOf(text);
}

/** @throws WrongArguments */
function given<Schema extends z.ZodType>(
  args: readonly string[],
  names: readonly string[],
  subjects: readonly string[],
  schema: Schema,
  fieldsOf: (values: Values) => Readonly<Record<string, unknown>> = sameNames,
): { readonly ids: readonly string[]; readonly fields: z.infer<Schema>; readonly json: boolean } {
  const { values, positionals: ids } = parseOpsArgs(args, subjects.length, {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  const missing = subjects[ids.length];
  if (missing) throw new WrongArguments(`A ${missing} is required.`);
  const { json, ...texts } = values as { readonly json: boolean } & Values;
  const fields = fieldsOf(texts as Values);
  const parsed = schema.safeParse(fields);
  if (!parsed.success) throw wrongOption(parsed.error, fields, (name) => name.replaceAll('_', '-'));
  return { ids, fields: parsed.data, json };
}

function sameNames(values: Values) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.replaceAll('-', '_'), value]),
  );
}

async function acting({ actor }: OpsContext) {
  return { actor: await actor() };
}

function refuse(code: ErrorCode): number {
  console.error(ERRORS[code].message);
  return 1;
}

function print(created: object, json: boolean, lines: readonly string[]): number {
  console.log(json ? JSON.stringify(created) : lines.join('\n'));
  return 0;
}
