/** The development provider's only reader of the environment. */
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
  /** How browsers and the API reach it: `iss` of its tokens. */
  IDENTITY_ISSUER: z.url().transform((url) => url.replace(/\/$/, '')),
  /** `aud` of its access tokens: the service that they are for. */
  IDENTITY_AUDIENCE: z.string().min(1),
  /** The private key that signs: a JWK of RSA. Kept by whoever starts it, so that tokens outlive a restart. */
  IDENTITY_KEY: json(z.looseObject({ kty: z.literal('RSA'), d: z.string() })),
  /** What scripts bring to get a token without a browser, and what cookies are signed with. */
  IDENTITY_SECRET: z.string().min(16),
  IDENTITY_ACCOUNTS: json(z.array(accountSchema).min(1)),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export type IdentityConfig = ReturnType<typeof readConfig>;

/** @throws a ZodError that names every variable that is missing or malformed, and not its value */
export function readConfig(env: NodeJS.ProcessEnv) {
  const e = environment.parse(env);
  return {
    host: e.IDENTITY_HOST,
    port: e.IDENTITY_PORT,
    issuer: e.IDENTITY_ISSUER,
    audience: e.IDENTITY_AUDIENCE,
    key: e.IDENTITY_KEY,
    secret: e.IDENTITY_SECRET,
    accounts: e.IDENTITY_ACCOUNTS,
    logLevel: e.LOG_LEVEL,
  };
}
