/**
 * The local stack's merchants: the demo shop's, and others in conditions that an integration must handle (no
 * subscriptions, rail still activating, inactive, a price without an interval). Ids are fixed; keys and secrets
 * are generated once per working copy.
 */
import { randomBytes } from 'node:crypto';
import { createApiKey } from '../../../contract/merchant/api-key.ts';
import type { Environment } from '../../../domain/core/environment.ts';
import type { Secrets } from './secrets.ts';

type MerchantName = 'merchant' | 'second' | 'noSubscriptions' | 'railActivating' | 'inactive';

export interface DemoMerchant {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'inactive';
  readonly subscriptionsEnabled: boolean;
  readonly branding: { readonly color: string };
  readonly supportEmail: string | null;
  readonly apiKeys: readonly {
    readonly id: string;
    readonly environment: Environment;
    readonly key: string;
  }[];
  readonly products: DemoProducts;
  /** The offering of the plans between which a subscription can change. */
  readonly offering: {
    readonly id: string;
    readonly name: string;
    readonly planIds: readonly string[];
  } | null;
  readonly coupon: {
    readonly id: string;
    readonly code: string;
    readonly percent: number;
    readonly productIds: readonly string[];
  } | null;
  readonly railAccount: {
    readonly id: string;
    readonly status: 'activating' | 'active';
    readonly refunds: boolean;
    readonly secret: string;
    readonly webhookSecret: string;
  };
  readonly webhookEndpoint: { readonly id: string; readonly secret: string } | null;
  /** Sells all products on the demo shop's `/browser` page. */
  readonly storefrontClient: { readonly id: string } | null;
}

type DemoProducts = Readonly<Record<ProductName, DemoProduct>> & {
  readonly noInterval?: DemoProduct;
  readonly office?: DemoProduct;
};
export type ProductName = 'oneTime' | 'recurring' | 'trial';

export interface DemoProduct {
  readonly id: string;
  readonly priceId: string;
  readonly name: string;
  readonly description: string;
  readonly reference: string;
  readonly amountCents: number;
  /** The buyer may choose up to this many. */
  readonly mostQuantity?: number;
  readonly billing: 'one_time' | { readonly interval: 'month' | null; readonly trialDays: number | null };
}

export type DemoMerchants = Readonly<Record<MerchantName, DemoMerchant>>;

/** How a merchant differs from the others. */
interface Condition {
  readonly name: string;
  readonly color: string;
  readonly status?: 'inactive';
  readonly subscriptionsEnabled?: false;
  readonly railStatus?: 'activating';
  readonly hasLiveKey?: true;
  readonly hasShop?: true;
  readonly hasPriceWithoutInterval?: true;
}

const CONDITIONS: Readonly<Record<MerchantName, Condition>> = {
  merchant: { name: 'Harbour Coffee', color: '#0f766e', hasLiveKey: true, hasShop: true },
  second: { name: 'Second Merchant', color: '#7c3aed', hasPriceWithoutInterval: true },
  noSubscriptions: { name: 'One-off Sales Only', color: '#b45309', subscriptionsEnabled: false },
  railActivating: { name: 'Rail Still Activating', color: '#be123c', railStatus: 'activating' },
  inactive: { name: 'Inactive Merchant', color: '#475569', status: 'inactive' },
};

/** @param refunds whether the rail accounts declare refunds */
export function demoMerchants(secret: Secrets, { refunds = false } = {}): DemoMerchants {
  const entries = (Object.keys(CONDITIONS) as MerchantName[]).map(
    (name, index) => [name, demoMerchant(name, index + 1, secret, refunds)] as const,
  );
  return Object.fromEntries(entries) as DemoMerchants;
}

function demoMerchant(name: MerchantName, number: number, secret: Secrets, refunds: boolean): DemoMerchant {
  const condition = CONDITIONS[name];
  const environments: readonly Environment[] = condition.hasLiveKey ? ['sandbox', 'production'] : ['sandbox'];
  const made = products(number, condition);
  const { recurring, office } = made;
  return {
    id: fixedId('ap_mer_', number),
    name: condition.name,
    status: condition.status ?? 'active',
    subscriptionsEnabled: condition.subscriptionsEnabled ?? true,
    branding: { color: condition.color },
    supportEmail: condition.hasShop ? 'help@harbour-coffee.example' : null,
    apiKeys: environments.map((environment, index) => ({
      id: fixedId('ap_key_', number, index + 1),
      environment,
      key: secret(`${name}.apiKey.${environment}`, () => createApiKey(environment)),
    })),
    products: made,
    offering: office
      ? { id: fixedId('ap_off_', number), name: 'Coffee', planIds: [recurring.id, office.id] }
      : null,
    coupon: office
      ? { id: fixedId('ap_cpn_', number), code: 'OFFICE20', percent: 20, productIds: [office.id] }
      : null,
    railAccount: {
      id: `acct_${name}`,
      status: condition.railStatus ?? 'active',
      refunds,
      secret: secret(`${name}.rail.secret`, () => `rsk_${randomBytes(32).toString('hex')}`),
      webhookSecret: secret(
        `${name}.rail.webhookSecret`,
        () => `whsec_${randomBytes(32).toString('base64')}`,
      ),
    },
    webhookEndpoint: condition.hasShop
      ? {
          id: fixedId('ap_whe_', number),
          secret: secret(`${name}.webhookSecret`, () => `whsec_${randomBytes(32).toString('base64')}`),
        }
      : null,
    storefrontClient: condition.hasShop ? { id: fixedId('ap_pcl_', number) } : null,
  };
}

function products(merchant: number, condition: Condition): DemoProducts {
  const ids = (number: number) => ({
    id: fixedId('ap_prod_', merchant, number),
    priceId: fixedId('ap_price_', merchant, number),
  });
  return {
    oneTime: {
      ...ids(1),
      name: 'Enamel mug',
      description: 'White enamel, 350 ml. Paid once.',
      reference: 'enamel-mug',
      amountCents: 1_900,
      mostQuantity: 6,
      billing: 'one_time',
    },
    recurring: {
      ...ids(2),
      name: 'Coffee club',
      description: 'A bag of fresh beans each month.',
      reference: 'coffee-club',
      amountCents: 1_400,
      billing: { interval: 'month', trialDays: null },
    },
    trial: {
      ...ids(3),
      name: 'Brewing school',
      description: 'A new lesson each week. The first 14 days are free.',
      reference: 'brewing-school',
      amountCents: 900,
      billing: { interval: 'month', trialDays: 14 },
    },
    ...(condition.hasPriceWithoutInterval && {
      noInterval: {
        ...ids(4),
        name: 'Price without an interval',
        description: 'A recurring price that cannot be billed: refused with 422.',
        reference: 'no-interval',
        amountCents: 1_000,
        billing: { interval: null, trialDays: null },
      },
    }),
    ...(condition.hasShop && {
      office: {
        ...ids(5),
        name: 'Office coffee',
        description: 'Fresh beans for a whole office each month, by the machine.',
        reference: 'office-coffee',
        amountCents: 2_900,
        mostQuantity: 10,
        billing: { interval: 'month', trialDays: null },
      },
    }),
  };
}

export function productIds({ products }: DemoMerchant): Readonly<Record<ProductName, string>> {
  const ids = Object.entries(products).map(([name, { id }]) => [name, id]);
  return Object.fromEntries(ids);
}

/** Formatted like generated ids, and the same in every run. */
function fixedId(prefix: string, ...numbers: readonly number[]): string {
  const digits = numbers.map((number) => number.toString(16).padStart(4, '0')).join('');
  return prefix + digits.padStart(32, '0');
}
