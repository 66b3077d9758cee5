/**
 * TLS settings and time-out of a connection string, parsed here for all clients: slonik ignores `sslrootcert`, each
 * client interprets `sslmode` differently, and none reads `connect_timeout`.
 */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

const SETTINGS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
/** Rejecting a request, which the client can repeat, is better than a longer wait. */
const CONNECT_TIMEOUT_SECONDS = 3;
const MODES = ['disable', 'no-verify', 'require', 'verify-full'];

export interface Connection {
  /** The connection string without the settings parsed here. */
  readonly connectionString: string;
  readonly ssl: ConnectionOptions | false;
  readonly connectionTimeoutMillis: number;
}

/**
 * `require` verifies as `verify-full` does: certificate and host name.
 * @throws Error if a setting is unknown or a file cannot be read
 */
export function connectionOf(databaseUrl: string): Connection {
  const url = new URL(databaseUrl);
  const [mode, ca, cert, key] = SETTINGS.map((name) => {
    const value = url.searchParams.get(name) ?? undefined;
    url.searchParams.delete(name);
    return value;
  });
  const connectionTimeoutMillis = takeTimeout(url) * 1_000;
  const sslmode = mode ?? (ca || cert ? 'verify-full' : 'disable');
  if (!MODES.includes(sslmode)) throw new Error(`sslmode must be one of ${MODES.join(', ')}.`);
  if (!cert !== !key) throw new Error('sslcert and sslkey must be given together.');
  const connectionString = url.href;
  if (sslmode === 'disable') return { connectionString, ssl: false, connectionTimeoutMillis };
  return {
    connectionString,
    connectionTimeoutMillis,
    ssl: {
      rejectUnauthorized: sslmode !== 'no-verify',
      ...(ca && { ca: readFileSync(ca, 'utf8') }),
      ...(cert && { cert: readFileSync(cert, 'utf8') }),
      ...(key && { key: readFileSync(key, 'utf8') }),
    },
  };
}

/** Seconds, as in libpq, but 0 is rejected instead of meaning "forever". */
function takeTimeout(url: URL): number {
  const given = url.searchParams.get('connect_timeout');
  url.searchParams.delete('connect_timeout');
  if (given === null) return CONNECT_TIMEOUT_SECONDS;
  if (!/^[1-9]\d{0,2}$/.test(given)) throw new Error('connect_timeout must be from 1 to 999 seconds.');
  return Number(given);
}
