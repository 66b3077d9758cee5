/** `.local/dev.json`: what scripts need to use the running stack. Its format is stable. */
import { rmSync } from 'node:fs';
import { writePrivate } from './secrets.ts';

export interface DevJson {
  readonly apiUrl: string;
  readonly dashboardUrl: string;
  readonly shopUrl: string;
  readonly railUrl: string;
  readonly temporalUiUrl: string;
  readonly temporalAddress: string;
  readonly databaseUrl: string;
  /** Prometheus text of each process. */
  readonly metrics: { readonly api: string; readonly worker: string };
  /** With `--observe`. */
  readonly observeUrl?: string;
  readonly merchant: { readonly id: string; readonly apiKey: string; readonly liveApiKey: string };
  readonly products: Readonly<Record<'oneTime' | 'recurring' | 'trial', string>>;
  readonly webhook: { readonly url: string; readonly secret: string; readonly eventsUrl: string };
  /** For the routes that browsers call: the storefront client's public id and its only origin. */
  readonly storefront: { readonly clientId: string; readonly origin: string };
  /** For the routes under /v1/merchants: tokens of the demo merchant's owner and of a platform person. */
  readonly dashboard: { readonly issuer: string; readonly token: string; readonly platformToken: string };
  readonly others: Readonly<
    Record<'second' | 'noSubscriptions' | 'railActivating' | 'inactive', DevMerchant>
  >;
}

export interface DevMerchant {
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
