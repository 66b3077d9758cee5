/** Reads the rail's environment; nothing else does. */
import { z } from 'zod';
import { accountSchema } from './operations/account-config.ts';

const schema = z.object({
  RAIL_PORT: z.coerce.number().int().min(0).max(65_535).default(4_000),
  RAIL_HOST: z.string().default('127.0.0.1'),
  RAIL_PUBLIC_URL: z.url().optional(),
  RAIL_DATABASE_URL: z.string().min(1),
  RAIL_RETRY_SECONDS: z
    .string()
    .regex(/^\d+(,\d+)*$/)
    .transform((text) => text.split(',').map(Number))
    .optional(),
  RAIL_LAG_SECONDS: z.coerce.number().min(0).max(600).default(0),
  RAIL_ACCOUNTS: z
    .string()
    .default('[]')
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'not JSON' });
        return z.NEVER;
      }
    })
    .pipe(z.array(accountSchema)),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

/** @throws ZodError with the names of the missing or malformed variables, without their values */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const env = schema.parse(environment);
  return {
    port: env.RAIL_PORT,
    host: env.RAIL_HOST,
    databaseUrl: env.RAIL_DATABASE_URL,
    accounts: env.RAIL_ACCOUNTS,
    logLevel: env.LOG_LEVEL,
    lagMs: env.RAIL_LAG_SECONDS * 1_000,
    ...(env.RAIL_PUBLIC_URL && { publicUrl: env.RAIL_PUBLIC_URL }),
    ...(env.RAIL_RETRY_SECONDS && { webhookRetrySeconds: env.RAIL_RETRY_SECONDS }),
  };
}
