/** Reads the development provider's environment; nothing else does. */
import { z } from 'zod';
import { accountSchema } from './accounts.ts';

const json = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);

const environment = z.object({
  IDENTITY_HOST: z.string().default('127.0.0.1'),
  IDENTITY_PORT: z.coerce.number().int().min(0).max(65_535).default(5_556),
  /** URL of the provider for browsers and the API; `iss` in its tokens. */
  IDENTITY_ISSUER: z.url().transform((url) => url.replace(/\/$/, '')),
  /** `aud` in its access tokens. */
  IDENTITY_AUDIENCE: z.string().min(1),
  /** The dashboard's address, where the public client `dashboard` returns; without it, there is no public client. */
  IDENTITY_DASHBOARD_URL: z.url().optional(),
  /** The private RSA signing key as a JWK. Comes from outside so that tokens survive a restart. */
  IDENTITY_KEY: json(z.looseObject({ kty: z.literal('RSA'), d: z.string() })),
  /** The client secret for scripts; also signs cookies. */
  IDENTITY_SECRET: z.string().min(16),
  IDENTITY_ACCOUNTS: json(z.array(accountSchema).min(1)),
  /** Where added accounts are stored; if absent, a restart loses them. */
  IDENTITY_DATA_DIR: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export type IdentityConfig = ReturnType<typeof readConfig>;

/** @throws ZodError with the names of the missing or malformed variables, without their values */
export function readConfig(env: NodeJS.ProcessEnv) {
  const e = environment.parse(env);
  return {
    host: e.IDENTITY_HOST,
    port: e.IDENTITY_PORT,
    issuer: e.IDENTITY_ISSUER,
    audience: e.IDENTITY_AUDIENCE,
    key: e.IDENTITY_KEY,
    secret: e.IDENTITY_SECRET,
    dashboardUrl: e.IDENTITY_DASHBOARD_URL,
    accounts: e.IDENTITY_ACCOUNTS,
    dataDir: e.IDENTITY_DATA_DIR,
    logLevel: e.LOG_LEVEL,
  };
}
