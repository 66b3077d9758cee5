/**
 * Temporal's address and credentials, in the standard format of every SDK and the `temporal` program: TEMPORAL_
 * variables override a profile in a TOML file. https://docs.temporal.io/develop/environment-configuration
 * The SDK ignores TEMPORAL_TLS_DISABLE_HOST_VERIFICATION.
 */
import { existsSync } from 'node:fs';
import { type ClientConfigProfile, loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';
import type { TemporalOptions } from '../../platform/temporal/client.ts';

/** For docs/configuration.md: default and meaning. */
export const TEMPORAL_VARIABLES: Readonly<Record<string, readonly [fallback: string, about: string]>> = {
  TEMPORAL_ADDRESS: ['`127.0.0.1:7233`', 'The frontend of the cluster, or of Temporal Cloud.'],
  TEMPORAL_NAMESPACE: ['`default`', 'The namespace, in Temporal Cloud with the account: `checkout.a1b2c`.'],
  TEMPORAL_API_KEY: ['', 'An API key, as for Temporal Cloud. Enables TLS.'],
  TEMPORAL_TLS: ['', '`true` enables TLS, `false` disables it. Any of the following also enables it.'],
  TEMPORAL_TLS_CLIENT_CERT_PATH: ['', "The service's own certificate, for mutual TLS (or `…_DATA`)."],
  TEMPORAL_TLS_CLIENT_KEY_PATH: ['', 'Its key (or `…_DATA`).'],
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: ['', "The CA of the server's certificate (or `…_DATA`)."],
  TEMPORAL_TLS_SERVER_NAME: ['', "The name to expect in the server's certificate."],
  'TEMPORAL_GRPC_META_…': ['', 'A header to send with every call.'],
  TEMPORAL_PROFILE: ['`default`', 'The profile to read from the file.'],
  TEMPORAL_CONFIG_FILE: [
    '',
    "A TOML file; if absent, the user's `temporalio/temporal.toml`; if empty, none.",
  ],
};

/**
 * An empty variable counts as absent, since compose files set unspecified variables to empty; an empty
 * TEMPORAL_CONFIG_FILE disables the file, including the user's default one.
 * @throws Error that begins with the variable at fault, and shows no secret
 */
export function readTemporalConfig(env: NodeJS.ProcessEnv): TemporalOptions {
  try {
    const profile = readProfile(env);
    const { clientCert, clientKey } = profile.tls ?? {};
    // With only one of the two, the SDK connects without either, and the server rejects the connection.
    if (!clientCert !== !clientKey) throw new OtherHalfMissing(clientCert ? 'KEY' : 'CERT');
    const { connectionOptions, namespace = 'default' } = toClientOptions(profile);
    const { address = '127.0.0.1:7233', tls, apiKey, metadata } = connectionOptions;
    return {
      address,
      namespace,
      // `false` must be passed too, because with an API key TLS defaults to on.
      ...(tls !== undefined && tls !== null && { tls }),
      ...(apiKey && { apiKey }),
      ...(metadata && { metadata }),
    };
  } catch (error) {
    throw new Error(`${variableOf(error, env)}: ${wordsOf(error)}.`);
  }
}

class OtherHalfMissing extends Error {
  readonly half: 'CERT' | 'KEY';

  constructor(half: 'CERT' | 'KEY') {
    super('missing; a client certificate and its key must be given together');
    this.half = half;
  }
}

/** The variable to correct; TEMPORAL_CONFIG_FILE for a value from a profile. */
function variableOf(error: unknown, env: NodeJS.ProcessEnv): string {
  if (error instanceof OtherHalfMissing) {
    const { half } = error;
    const form = env[`TEMPORAL_TLS_CLIENT_${half === 'KEY' ? 'CERT' : 'KEY'}_DATA`] ? 'DATA' : 'PATH';
    return `TEMPORAL_TLS_CLIENT_${half}_${form}`;
  }
  const { message, path } = error as Error & { readonly path?: unknown };
  const ofPath = Object.keys(env).find((name) => /^TEMPORAL_.*_PATH$/.test(name) && env[name] === path);
  if (ofPath) return ofPath;
  if (env.TEMPORAL_PROFILE && message.startsWith('Profile ')) return 'TEMPORAL_PROFILE';
  const [, both] = /^Cannot specify both (\w+)_path/.exec(message) ?? [];
  return both ? `TEMPORAL_TLS_${both.toUpperCase()}_PATH` : 'TEMPORAL_CONFIG_FILE';
}

function readProfile(env: NodeJS.ProcessEnv): ClientConfigProfile {
  const { TEMPORAL_CONFIG_FILE: file } = env;
  if (file && !existsSync(file)) throw new Error(`${file} does not exist`);
  const given = Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return loadClientConfigProfile({
    overrideEnvVars: Object.fromEntries(given),
    disableFile: file === '',
  });
}

/** A parser may quote a key from the file: only the error's position is passed on. */
function wordsOf(error: unknown): string {
  const { name, message, code, path, line } = error as Error &
    Readonly<Record<'code' | 'path' | 'line', unknown>>;
  if (code && path) return `${code} ${path}`;
  if (line !== undefined) return `line ${line} of the profile file is not TOML`;
  return name === 'TypeError' ? 'the file has no table [profile.…]' : message;
}
