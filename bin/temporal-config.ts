/**
 * Where Temporal is and how to log in there, as every SDK and the `temporal` program read it: TEMPORAL_ variables
 * over a profile of a TOML file. https://docs.temporal.io/develop/environment-configuration
 *
 * The SDK knows TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS, TEMPORAL_TLS_SERVER_NAME,
 * TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH, TEMPORAL_TLS_SERVER_CA_CERT_PATH, each of these
 * with DATA in place of PATH, TEMPORAL_GRPC_META_ and a header's name, TEMPORAL_PROFILE and TEMPORAL_CONFIG_FILE.
 * Of TEMPORAL_TLS_DISABLE_HOST_VERIFICATION it makes nothing.
 */
import { existsSync } from 'node:fs';
import { type ClientConfigProfile, loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';
import type { TemporalOptions } from '../api/temporal.ts';

/**
 * A variable that is set and empty counts as absent, as compose files leave those that nobody gave; an empty
 * TEMPORAL_CONFIG_FILE means no file, not even the user's own.
 * @throws an Error that names what is wrong, without the value of any secret
 */
export function readTemporalConfig(env: NodeJS.ProcessEnv): TemporalOptions {
  try {
    const profile = readProfile(env);
    const { clientCert, clientKey } = profile.tls ?? {};
    // The SDK would connect without either, and be refused by the server.
    if (!clientCert !== !clientKey)
      throw new Error('a client certificate needs its key, and a key the other');
    const { connectionOptions, namespace = 'default' } = toClientOptions(profile);
    const { address = '127.0.0.1:7233', tls, apiKey, metadata } = connectionOptions;
    return {
      ...{ address, namespace },
      // `false` too: with an API key, TLS would be on by itself.
      ...(tls !== undefined && tls !== null && { tls }),
      ...(apiKey && { apiKey }),
      ...(metadata && { metadata }),
    };
  } catch (error) {
    throw new Error(`The settings for Temporal cannot be used: ${wordsOf(error)}.`);
  }
}

function readProfile(env: NodeJS.ProcessEnv): ClientConfigProfile {
  const { TEMPORAL_CONFIG_FILE: file } = env;
  if (file && !existsSync(file)) throw new Error(`TEMPORAL_CONFIG_FILE ${file} does not exist`);
  const given = Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return loadClientConfigProfile({
    overrideEnvVars: Object.fromEntries(given),
    disableFile: file === '',
  });
}

/** What a parser quotes of a file may be a key: of such an error only where it is goes on. */
function wordsOf(error: unknown): string {
  const { name, message, code, path, line } = error as Error &
    Readonly<Record<'code' | 'path' | 'line', unknown>>;
  if (code && path) return `${code} ${path}`;
  if (line !== undefined) return `line ${line} of the file of profiles is no TOML`;
  return name === 'TypeError' ? 'the file has no table [profile.…]' : message;
}
