import { newPrice, refusalOfTerms } from '../../contract/catalogue/prices.ts';
import { createPrice } from '../../db/catalogue/prices.ts';
import type { OpsCommand } from './core/command.ts';
import { acting, EXIT, given, MERCHANT, print, refuse, type Values } from './core/create.ts';

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
    interval_count: numberOf(values['interval-count']),
    trial_period_days: numberOf(values['trial-period-days']),
  };
  const isRecurring = Object.values(recurring).some((value) => value !== undefined);
  return {
    amount: numberOf(values.amount),
    tax_rate: numberOf(values['tax-rate']),
    currency: values.currency,
    billing_mode: isRecurring ? 'recurring' : 'one_time',
    ...(isRecurring && { recurring }),
  };
}

function numberOf(text: string | undefined): number | undefined {
  return text?.trim() ? Number(text) : undefined;
}
