/** Reads the shop's environment; nothing else does. */
import { z } from 'zod';

const baseUrl = z.url().transform((url) => url.replace(/\/$/, ''));

const environment = z.object({
  SHOP_HOST: z.string().default('127.0.0.1'),
  SHOP_PORT: z.coerce.number().int(),
  /** Where browsers reach the shop. */
  SHOP_PUBLIC_URL: baseUrl,
  SHOP_API_URL: baseUrl,
  SHOP_API_KEY: z.string().min(1),
  SHOP_WEBHOOK_SECRET: z.string().min(1),
  /** The storefront client's public id, for purchases from the browser. */
  SHOP_CLIENT_ID: z.string().min(1),
  /** Ids by the names of their pictures. */
  SHOP_PRODUCTS: z
    .string()
    .transform((json) => JSON.parse(json) as unknown)
    .pipe(z.record(z.string(), z.string())),
  /** Where received events are stored; if absent, in memory only. */
  SHOP_DATA_DIR: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export type ShopConfig = ReturnType<typeof readShopConfig>;

/** @throws ZodError with the names of the missing or malformed variables */
export function readShopConfig(env: NodeJS.ProcessEnv) {
  const e = environment.parse(env);
  return {
    host: e.SHOP_HOST,
    port: e.SHOP_PORT,
    publicUrl: e.SHOP_PUBLIC_URL,
    apiUrl: e.SHOP_API_URL,
    apiKey: e.SHOP_API_KEY,
    webhookSecret: e.SHOP_WEBHOOK_SECRET,
    clientId: e.SHOP_CLIENT_ID,
    products: e.SHOP_PRODUCTS,
    dataDir: e.SHOP_DATA_DIR,
    logLevel: e.LOG_LEVEL,
  };
}
