/** Migrates the local stack's database and seeds the demo merchants. */
import { hashApiKey } from '../contract/merchant/api-key.ts';
import { migrate } from '../db/core/migrate.ts';
import { openPool } from '../db/core/pool.ts';
import { type MerchantToPut, putMerchant } from '../db/merchant/put-demo-merchant.ts';
import { comparedCode } from '../domain/catalogue/coupon.ts';
import { SecretBox } from '../platform/secrets/encryption.ts';
import { railCredentialOf, webhookSecretOf } from '../platform/secrets/places.ts';
import { SANDBOX_CAPABILITIES } from '../rail/sandbox/index.ts';
import type { DemoMerchant, DemoProduct } from '../sandbox/stack/demo/demo-merchants.ts';
import type { Preparation } from '../sandbox/stack/stack.ts';

export async function prepareDatabase(preparation: Preparation): Promise<void> {
  await migrate(preparation.databaseUrl);
  const pool = await openPool({ url: preparation.databaseUrl, maxConnections: 1 });
  try {
    for (const merchant of preparation.merchants) await putMerchant(pool, described(merchant, preparation));
  } finally {
    await pool.end();
  }
}

function described(demo: DemoMerchant, preparation: Preparation): MerchantToPut {
  const box = new SecretBox(preparation.secretsKey);
  const { offering, coupon, railAccount, webhookEndpoint, storefrontClient } = demo;
  const { id: account, secret, webhookSecret } = railAccount;
  const products = Object.values(demo.products);
  // The shop receives its own webhooks. Its port can change with each start.
  const shopUrl = new URL(preparation.webhookUrl).origin;
  return {
    merchant: {
      id: demo.id,
      name: demo.name,
      status: demo.status,
      subscriptions_enabled: demo.subscriptionsEnabled,
      branding: demo.branding,
      legal_identity: {
        name: `${demo.name} GmbH`,
        address_lines: ['Am Kai 7', '20457 Hamburg', 'DE'],
        vat_id: 'DE123456789',
      },
      support_email: demo.supportEmail,
    },
    apiKeys: demo.apiKeys.map(({ id, environment, key }) => ({
      id,
      environment,
      key_hmac: hashApiKey(key, preparation.apiKeyPepper),
      last4: key.slice(-4),
    })),
    products: products.map(({ id, name, description, reference, mostQuantity }) => ({
      id,
      name,
      description,
      external_reference: reference,
      quantity_min: mostQuantity ? 1 : null,
      quantity_max: mostQuantity ?? null,
    })),
    prices: products.map(priceOf),
    offering: offering && { row: { id: offering.id, name: offering.name }, planIds: offering.planIds },
    coupon: coupon && {
      id: coupon.id,
      environment: 'sandbox',
      code: coupon.code,
      compared_code: comparedCode(coupon.code),
      percent: coupon.percent,
      duration: 'once',
      product_ids: coupon.productIds,
    },
    railAccount: {
      id: account,
      environment: 'sandbox',
      rail: 'sandbox',
      status: railAccount.status,
      was_active: railAccount.status === 'active',
      capabilities: { ...SANDBOX_CAPABILITIES, wallets: ['apple_pay'], refunds: railAccount.refunds },
      credential: box.seal(JSON.stringify({ account, secret, webhookSecret }), railCredentialOf(account)),
    },
    webhookEndpoint: webhookEndpoint && {
      id: webhookEndpoint.id,
      environment: 'sandbox',
      url: preparation.webhookUrl,
      secret: box.seal(webhookEndpoint.secret, webhookSecretOf(webhookEndpoint.id)),
    },
    storefrontClient: storefrontClient && {
      id: storefrontClient.id,
      environment: 'sandbox',
      name: 'Demo shop',
      origins: [shopUrl],
      success_url: `${shopUrl}/browser?back=success`,
      fail_url: `${shopUrl}/browser?back=fail`,
    },
  };
}

function priceOf({ id, priceId, amountCents, billing }: DemoProduct) {
  const recurring = billing === 'one_time' ? null : billing;
  return {
    id: priceId,
    product_id: id,
    amount: amountCents,
    tax_rate: 19,
    billing_mode: recurring ? 'recurring' : 'one_time',
    interval: recurring?.interval ?? null,
    interval_count: recurring?.interval ? 1 : null,
    trial_period_days: recurring?.trialDays ?? null,
  };
}
