/** Runs the demo shop in this process, and delivers webhooks to it. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { signWebhook } from '../../../contract/webhook/webhook-signature.ts';
import type { ShopConfig } from '../../../sandbox/shop/core/config.ts';
import { startShop } from '../../../sandbox/shop/server.ts';

const SECRET = 'whsec_shop-test';

export interface OpenShop {
  readonly url: string;
  /** Delivers an event as the service does. */
  deliver(event: object, options?: DeliveryOptions): Promise<Response>;
  events(): Promise<readonly ReceivedEvent[]>;
  behave(behaviour: object): Promise<Response>;
  close(): Promise<void>;
}

interface DeliveryOptions {
  readonly attempt?: number;
  readonly secret?: string;
  readonly signature?: string;
  readonly raw?: string;
}

interface ReceivedEvent {
  readonly receivedAt: string;
  readonly deliveryAttempt: number;
  readonly verified: boolean;
  readonly event: { readonly id: string; readonly type: string };
}

export async function openShop(config: Partial<ShopConfig> = {}): Promise<OpenShop> {
  const shop = await startShop(
    {
      host: '127.0.0.1',
      port: 0,
      publicUrl: 'http://127.0.0.1:3000',
      apiUrl: 'http://127.0.0.1:9',
      apiKey: 'ap_test_none',
      webhookSecret: SECRET,
      clientId: 'ap_pcl_none',
      products: { oneTime: 'ap_prod_1', recurring: 'ap_prod_2', trial: 'ap_prod_3' },
      dataDir: undefined,
      logLevel: 'silent',
      ...config,
    },
    pino({ level: 'silent' }),
  );
  const url = `http://127.0.0.1:${shop.port}`;
  return {
    url,
    deliver(event, { attempt = 1, secret = SECRET, signature, raw = JSON.stringify(event) } = {}) {
      const now = Math.floor(Date.now() / 1_000);
      return fetch(`${url}/webhooks`, {
        method: 'POST',
        body: raw,
        headers: {
          'content-type': 'application/json',
          'service-signature': signature ?? signWebhook({ rawBody: raw, secrets: [secret], timestamp: now }),
          'service-delivery-attempt': `${attempt}`,
        },
      });
    },
    events: async () => (await (await fetch(`${url}/events`)).json()) as ReceivedEvent[],
    behave: (behaviour) =>
      fetch(`${url}/events/behaviour`, {
        method: 'POST',
        body: JSON.stringify(behaviour),
        headers: { 'content-type': 'application/json' },
      }),
    close: shop.close,
  };
}

/** An event in the service's format. */
export function event(type: string, parts: object = {}) {
  return {
    id: `evt_${randomBytes(16).toString('hex')}`,
    type,
    occurred_at: new Date().toISOString(),
    merchant_id: 'ap_mer_1',
    customer: null,
    product: null,
    subscription: null,
    payment: null,
    ...parts,
  };
}
