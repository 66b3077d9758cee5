/**
 * TLS settings of a connection string, for every client alike: slonik ignores `sslrootcert`, and each reads `sslmode`
 * in its own way.
 */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

const SETTINGS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
const MODES = ['disable', 'no-verify', 'require', 'verify-full'];

export interface Connection {
  /** Without the TLS settings. */
  readonly connectionString: string;
  readonly ssl: ConnectionOptions | false;
}

/**
 * `require` verifies as `verify-full` does, as in earlier releases: certificate and host name.
 * @throws Error if a setting is unknown or a file cannot be read
 */
export function connectionOf(databaseUrl: string): Connection {
  const url = new URL(databaseUrl);
  const [mode, ca, cert, key] = SETTINGS.map((name) => {
    const value = url.searchParams.get(name) ?? undefined;
    url.searchParams.delete(name);
    return value;
  });
  const sslmode = mode ?? (ca || cert ? 'verify-full' : 'disable');
  if (!MODES.includes(sslmode)) throw new Error(`sslmode must be one of ${MODES.join(', ')}.`);
  if (!cert !== !key) throw new Error('sslcert and sslkey must be given together.');
  const connectionString = url.href;
  if (sslmode === 'disable') return { connectionString, ssl: false };
  return {
    connectionString,
    ssl: {
      rejectUnauthorized: sslmode !== 'no-verify',
      ...(ca && { ca: readFileSync(ca, 'utf8') }),
      ...(cert && { cert: readFileSync(cert, 'utf8') }),
      ...(key && { key: readFileSync(key, 'utf8') }),
    },
  };
}
