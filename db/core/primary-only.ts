/**
 * Refuses connections to a server in recovery: a copy that still lacks rows, or a standby behind an address that has
 * moved. A row missing there would be mistaken for a deleted one (rule 29).
 */
import type { createPgDriverFactory } from '@slonik/pg-driver';

type DriverFactory = ReturnType<typeof createPgDriverFactory>;

/**
 * Checked once per connection, below the pool, so that it is neither counted nor named. A pooler in
 * transaction mode can still move a connection to another server.
 */
export function primaryOnly(factory: DriverFactory): DriverFactory {
  return async (options) => {
    const driver = await factory(options);
    return {
      ...driver,
      async createClient() {
        const client = await driver.createClient();
        try {
          client.acquire();
          const { rows } = await client.query(
            'select from pg_is_in_recovery() as recovering where recovering',
          );
          if (rows.length > 0) throw new Error('PostgreSQL is in recovery, or is a standby.');
          await client.release();
          return client;
        } catch (error) {
          await client.destroy();
          throw error;
        }
      },
    };
  };
}
