import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ConfigError, faultsIn } from '../../config/faults.ts';
import {
  readApiKeyPepper,
  readOperatorConfig,
  readPeopleConfig,
  readRailConfig,
  readSealingConfig,
  readSessionConfig,
  readWebhookConfig,
} from '../../config/read.ts';
import { readTemporalConfig } from '../../config/temporal.ts';

const devJson = z.object({
  databaseUrl: z.string(),
  temporalAddress: z.string(),
  /** Absent with `--temporal=postgres`, which has no Temporal UI. */
  temporalUiUrl: z.string().optional(),
  /** Present if the stack runs with `--observe`; its page shows the runbook. */
  observeUrl: z.string().optional(),
  dashboard: z.object({ issuer: z.string() }),
  apiUrl: z.string(),
  /** Processes by name, each with its own address. */
  processes: z.record(z.string(), z.array(z.object({ url: z.string() }))).optional(),
  railUrl: z.string(),
});
/** Same as `sandbox/stack/demo/dev-accounts.ts`, which the image does not contain. */
const DEV_AUDIENCE = 'urn:hosted-checkout:api';

const devSecrets = z.object({ secretsKey: z.string(), apiKeyPepper: z.string() });

/**
 * @throws Error with instructions if neither the environment nor a running `npm start` gives the addresses
 */
export async function readOpsConfig(env: NodeJS.ProcessEnv = process.env) {
  if (env.DATABASE_URL) {
    const faults = faultsIn(
      () => readTemporalConfig(env),
      () => readOperatorConfig(env, ''),
      () => readPeopleConfig(env),
      () => readSealingConfig(env),
      () => readApiKeyPepper(env),
      () => readSessionConfig(env),
      () => readRailConfig(env, env.PUBLIC_URL ?? 'http://127.0.0.1'),
      () => readWebhookConfig(env),
    );
    if (faults.length > 0) throw new ConfigError(faults);
    const temporal = readTemporalConfig(env);
    const { key: secretsKey, formerKeys } = readSealingConfig(env);
    return {
      databaseUrl: env.DATABASE_URL,
      temporal,
      session: readSessionConfig(env),
      ...readOperatorConfig(env, temporal.namespace),
      processes: env.PUBLIC_URL ? [{ name: 'api', url: env.PUBLIC_URL }] : [],
      people: readPeopleConfig(env),
      secretsKey,
      apiKeyPepper: readApiKeyPepper(env),
      formerKeys,
      rails: readRailConfig(env, env.PUBLIC_URL ?? 'http://127.0.0.1'),
      webhooks: readWebhookConfig(env),
    };
  }
  const session = readSessionConfig(env);
  try {
    const dev = devJson.parse(await readLocal('dev.json'));
    const { apiUrl, railUrl, databaseUrl, temporalAddress, temporalUiUrl, observeUrl, dashboard } = dev;
    const { formerKeys } = readSealingConfig(env);
    const secrets = devSecrets.parse(await readLocal('secrets.json'));
    const rails = readRailConfig({ SANDBOX_RAIL_URL: railUrl, ...env }, apiUrl);
    const temporal = { address: temporalAddress, namespace: 'default' };
    const links = {
      TEMPORAL_UI_URL: temporalUiUrl,
      RUNBOOK_URL: observeUrl && `${observeUrl}/docs/on-call.md`,
    };
    const operator = readOperatorConfig({ ...links, ...env }, temporal.namespace);
    const people = readPeopleConfig({ OIDC_ISSUER: dashboard.issuer, OIDC_AUDIENCE: DEV_AUDIENCE, ...env });
    const processes = [...named('api', dev.processes?.apis), ...named('worker', dev.processes?.workers)];
    const webhooks = readWebhookConfig({ WEBHOOK_ALLOW_LOOPBACK: '1', ...env });
    const stack = { processes, databaseUrl, temporal, session, rails, webhooks };
    return { ...stack, ...operator, people, ...secrets, formerKeys };
  } catch {
    throw new Error("Set DATABASE_URL (and Temporal's address), or run `npm start` in this folder first.");
  }
}

function named(name: string, processes: readonly { readonly url: string }[] = []) {
  return processes.map(({ url }, i) => ({
    name: processes.length > 1 ? `${name} ${i + 1}, ${url}` : name,
    url,
  }));
}

async function readLocal(name: string): Promise<unknown> {
  return JSON.parse(await readFile(`.local/${name}`, 'utf8'));
}
