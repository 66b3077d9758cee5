/** `.local/dev.json`: data that scripts need to use the running stack. Its format is stable. */
import { rmSync } from 'node:fs';
import { type DemoMerchant, type DemoMerchants, productIds } from './demo/demo-merchants.ts';
import { writePrivate } from './demo/secrets.ts';
import type { Addresses } from './parts.ts';
import type { Replicas } from './replicas.ts';

export interface DevJson {
  readonly apiUrl: string;
  readonly dashboardUrl: string;
  readonly shopUrl: string;
  readonly railUrl: string;
  /** Absent with Temporal on PostgreSQL, which has no web interface. */
  readonly temporalUiUrl?: string;
  readonly temporalAddress: string;
  readonly databaseUrl: string;
  /** Addresses of the Prometheus metrics of each process. */
  readonly metrics: { readonly api: string; readonly worker: string };
  /** Started by `npm start` and `npm run stack`: each API and worker. */
  readonly processes?: Readonly<
    Record<'apis' | 'workers', readonly { readonly url: string; readonly metrics: string }[]>
  >;
  /** Present with `--observe`. */
  readonly observeUrl?: string;
  readonly merchant: { readonly id: string; readonly apiKey: string; readonly liveApiKey: string };
  readonly products: Readonly<Record<'oneTime' | 'recurring' | 'trial', string>>;
  readonly webhook: { readonly url: string; readonly secret: string; readonly eventsUrl: string };
  /** Shell commands, for `eval`, that export the variables of the README's shop and of the command line. */
  readonly shell: string;
  /** For the routes that browsers call: the storefront client's public id and its only origin. */
  readonly storefront: { readonly clientId: string; readonly origin: string };
  /** For the routes under /v1/merchants: tokens of the demo merchant's owner and of a platform person. */
  readonly dashboard: { readonly issuer: string; readonly token: string; readonly platformToken: string };
  readonly others: Readonly<
    Record<'second' | 'noSubscriptions' | 'railActivating' | 'inactive', DevMerchant>
  >;
}

interface DevMerchant {
  readonly id: string;
  readonly apiKey: string;
  readonly products: Readonly<Record<string, string>>;
}

export function writeDevJson(file: string, dev: DevJson): void {
  writePrivate(file, dev);
}

export function removeDevJson(file: string): void {
  rmSync(file, { force: true });
}

export function processesOf({ apis, workers }: Replicas): NonNullable<DevJson['processes']> {
  const urlsOf = ({ port, metricsPort }: Replicas['apis'][number]) => ({
    url: `http://127.0.0.1:${port}`,
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
  });
  return { apis: apis.map(urlsOf), workers: workers.map(urlsOf) };
}

export function devJson(
  addresses: Addresses,
  databaseUrl: string,
  merchants: DemoMerchants,
  tokens: Pick<DevJson['dashboard'], 'token' | 'platformToken'>,
): DevJson {
  const { apiUrl, dashboardUrl, shopUrl, railUrl, temporalUiUrl, temporalAddress, webhookUrl, eventsUrl } =
    addresses;
  const { merchant, second, noSubscriptions, railActivating, inactive } = merchants;
  const { id, apiKey, products } = devMerchant(merchant);
  const secret = merchant.webhookEndpoint?.secret ?? '';
  return {
    apiUrl,
    dashboardUrl,
    shopUrl,
    railUrl,
    ...(temporalUiUrl && { temporalUiUrl }),
    temporalAddress,
    databaseUrl,
    metrics: addresses.metrics,
    merchant: { id, apiKey, liveApiKey: keyOf(merchant, 'production') },
    products,
    shell: `export HOSTED_CHECKOUT_URL=${apiUrl} HOSTED_CHECKOUT_API_KEY=${apiKey} PRODUCT_ID=${products.oneTime} WEBHOOK_SECRET=${secret}`,
    dashboard: { issuer: addresses.identityUrl, ...tokens },
    webhook: { url: webhookUrl, secret, eventsUrl },
    storefront: { clientId: merchant.storefrontClient?.id ?? '', origin: shopUrl },
    others: {
      second: devMerchant(second),
      noSubscriptions: devMerchant(noSubscriptions),
      railActivating: devMerchant(railActivating),
      inactive: devMerchant(inactive),
    },
  };
}

function devMerchant(merchant: DemoMerchant): DevMerchant {
  return { id: merchant.id, apiKey: keyOf(merchant, 'sandbox'), products: productIds(merchant) };
}

function keyOf(merchant: DemoMerchant, environment: 'sandbox' | 'production'): string {
  const found = merchant.apiKeys.find((apiKey) => apiKey.environment === environment);
  if (!found) throw new Error(`${merchant.name} has no ${environment} key`);
  return found.key;
}
