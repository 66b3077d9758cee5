/**
 * Refuses connections to a server in recovery: a copy that is being restored, which still lacks rows that exist, or a
 * standby behind an address that has moved. A row that is missing there would be taken for gone (rule 29).
 */
import { type Interceptor, sql } from 'slonik';
import { z } from 'zod';

/** Connections that are known; a server in recovery that is promoted keeps its connections. */
const MOST_KNOWN = 1_000;

/** As PostgreSQL refuses connections while it starts: `cannot_connect_now`. */
export class ServerInRecoveryError extends Error {
  override readonly name = 'ServerInRecoveryError';
  readonly code = '57P03';

  constructor() {
    super('PostgreSQL is in recovery: it is being restored, or is a standby.');
  }
}

/** Asks once per connection. A pooler in transaction mode can still move a connection to another server. */
export function primaryOnly(): Interceptor {
  const known = new Set<string>();
  return {
    name: 'primary-only',
    async afterPoolConnection({ connectionId }, connection) {
      if (known.has(connectionId)) return null;
      if (await connection.oneFirst(IS_IN_RECOVERY)) throw new ServerInRecoveryError();
      if (known.size >= MOST_KNOWN) known.clear();
      known.add(connectionId);
      return null;
    },
  };
}

const IS_IN_RECOVERY = sql.type(z.object({ recovering: z.boolean() }))`
  select pg_is_in_recovery() as recovering`;
