/**
 * Refuses connections to a server in recovery: a copy that is being restored, which still lacks rows that exist, or a
 * standby behind an address that has moved. A row that is missing there would be taken for gone (rule 29).
 */
import { type Interceptor, sql } from 'slonik';
import { z } from 'zod';

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
  const known = new WeakSet<object>();
  return {
    name: 'primary-only',
    async afterPoolConnection(_context, connection) {
      const client = clientOf(connection);
      if (client && known.has(client)) return null;
      if (await connection.oneFirst(IS_IN_RECOVERY)) throw new ServerInRecoveryError();
      if (client) known.add(client);
      return null;
    },
  };
}

/**
 * The connection to the server: slonik wraps it, under a new id, each time that it is taken from the pool. Where it
 * cannot be found, every use asks, which `test/workflows/session/purchase-cost.test.ts` notices.
 */
function clientOf(wrapped: object): object | null {
  const client: unknown = Reflect.get(wrapped, 'connection');
  return typeof client === 'object' ? client : null;
}

const IS_IN_RECOVERY = sql.type(z.object({ recovering: z.boolean() }))`
  select pg_is_in_recovery() as recovering`;
