/** `npm run ops -- import stripe` against the double, with a merchant's objects there. */
import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import type { ImportRow } from '../../../api/operations/import/import-row.ts';
import { importCommand } from '../../../bin/ops/import.ts';
import { TEST_PEPPER, testSecretBox } from '../../support/db/fixtures.ts';
import { addPrice, addSubscription } from './double/billing.ts';
import { CARDS } from './double/cards.ts';
import { type BilledSubscription, type DoubleCustomer, newId } from './double/state.ts';
import type { StripeService } from './service.ts';

/** Removes an earlier test's objects from Stripe. */
export function clearStripe({ stripe: { theirs } }: StripeService): void {
  for (const kept of [theirs.prices, theirs.subscriptions, theirs.customers, theirs.methods]) kept.clear();
  theirs.pendingItems.length = 0;
  theirs.products.length = 0;
}

/** A customer with a stored card. */
export function addCustomer(
  { stripe: { theirs } }: StripeService,
  values: Partial<DoubleCustomer> = {},
): { readonly customer: string; readonly method: string } {
  const { id = newId('cus') } = values;
  const method = newId('pm');
  theirs.customers.set(id, { id, metadata: { shop_id: `shop-${id}` }, email: 'ada@example.eu', ...values });
  theirs.methods.set(method, { id: method, card: CARDS.approved, wallet: null, customer: id, used: true });
  return { customer: id, method };
}

/** A subscription of a new customer to a new price. */
export function addBilled(
  service: StripeService,
  values: Partial<BilledSubscription> = {},
): BilledSubscription {
  const { theirs } = service.stripe;
  return addSubscription(theirs, { ...addCustomer(service), price: addPrice(theirs), ...values });
}

interface Said {
  readonly code: number;
  readonly rows: readonly ImportRow[];
  row(source: string): ImportRow;
}

/** Runs the import: a dry run, unless `--yes` is passed. */
export async function runImport({ world, stripe }: StripeService, ...more: readonly string[]): Promise<Said> {
  let out = '';
  const log = jest.spyOn(console, 'log').mockImplementation((line: unknown) => {
    out += `${line}\n`;
  });
  const err = jest.spyOn(console, 'error').mockImplementation(() => {});
  try {
    const args = ['stripe', world.shop.merchantId, '--environment', 'sandbox', '--tax-rate', '19', ...more];
    const code = await importCommand.run([...args, '--customer-id', 'shop_id', '--json'], {
      pool: world.pool,
      temporal: world.client,
      session: world.deps.session,
      links: { runbookUrl: 'docs/on-call.md' },
      processes: [],
      webhooks: { allowLoopback: true, timeoutMs: 2_000 },
      secondPersonAbove: null,
      actor: async () => 'operator:ada',
      rails: async () => new Map([['stripe', stripe.rail]]),
      secretBox: () => testSecretBox,
      apiKeyPepper: () => TEST_PEPPER,
      env: {},
      input: Readable.from(['']),
    });
    const rows: readonly ImportRow[] = out ? JSON.parse(out) : [];
    return {
      code,
      rows,
      row(source) {
        const found = rows.find((each) => each.source === source);
        if (!found) throw new Error(`no row for ${source}`);
        return found;
      },
    };
  } finally {
    log.mockRestore();
    err.mockRestore();
  }
}
