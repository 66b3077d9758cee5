/** Migrates the local stack's database and seeds the demo merchants. */
import { hashApiKey } from '../contract/merchant/api-key.ts';
import { migrate } from '../db/core/migrate.ts';
import { openPool } from '../db/core/pool.ts';
import { type MerchantToPut, type PriceToPut, putMerchant } from '../db/merchant/put-demo-merchant.ts';
import { railCredentialOf, webhookSecretOf } from '../platform/secrets/places.ts';
import { SecretBox } from '../platform/secrets/secret-box.ts';
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

function described(merchant: DemoMerchant, preparation: Preparation): MerchantToPut {
  const box = new SecretBox(preparation.secretsKey);
  const { id, name, status, subscriptionsEnabled, branding, railAccount, webhookEndpoint, storefrontClient } =
    merchant;
  // The shop receives its own webhooks. Its port can change with each start.
  const shopUrl = new URL(preparation.webhookUrl).origin;
  return {
    id,
    name,
    status,
    subscriptionsEnabled,
    branding,
    legalIdentity: {
      name: `${name} GmbH`,
      address_lines: ['Am Kai 7', '20457 Hamburg', 'DE'],
      vat_id: 'DE123456789',
    },
    supportEmail: merchant.supportEmail,
    apiKeys: merchant.apiKeys.map(({ id, environment, key }) => ({
      id,
      environment,
      hmac: hashApiKey(key, preparation.apiKeyPepper),
      last4: key.slice(-4),
    })),
    products: Object.values(merchant.products).map(({ id, name, description, reference, ...product }) => ({
      id,
      name,
      description,
      externalReference: reference,
      mostQuantity: product.mostQuantity ?? null,
      price: priceOf(product),
    })),
    railAccount: {
      id: railAccount.id,
      environment: 'sandbox',
      rail: 'sandbox',
      status: railAccount.status,
      capabilities: { ...SANDBOX_CAPABILITIES, wallets: ['apple_pay'], refunds: railAccount.refunds },
      sealedCredential: box.seal(
        JSON.stringify({
          account: railAccount.id,
          secret: railAccount.secret,
          webhookSecret: railAccount.webhookSecret,
        }),
        railCredentialOf(railAccount.id),
      ),
    },
    webhookEndpoint: webhookEndpoint && {
      id: webhookEndpoint.id,
      environment: 'sandbox',
      url: preparation.webhookUrl,
      sealedSecret: box.seal(webhookEndpoint.secret, webhookSecretOf(webhookEndpoint.id)),
    },
    storefrontClient: storefrontClient && {
      id: storefrontClient.id,
      environment: 'sandbox',
      name: 'Demo shop',
      origins: [shopUrl],
      successUrl: `${shopUrl}/browser?back=success`,
      failUrl: `${shopUrl}/browser?back=fail`,
    },
  };
}

function priceOf({
  priceId,
  amountCents,
  billing,
}: Pick<DemoProduct, 'priceId' | 'amountCents' | 'billing'>): PriceToPut {
  const common = { id: priceId, amountCents, taxRatePercent: 19 };
  if (billing === 'one_time') {
    return { ...common, billingMode: 'one_time', interval: null, intervalCount: null, trialPeriodDays: null };
  }
  return {
    ...common,
    billingMode: 'recurring',
    interval: billing.interval,
    intervalCount: billing.interval && 1,
    trialPeriodDays: billing.trialDays,
  };
}
