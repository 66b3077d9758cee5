/** Wraps the driver of a pool. */
import type { createPgDriverFactory } from '@slonik/pg-driver';
import pg from 'pg';

type DriverFactory = ReturnType<typeof createPgDriverFactory>;

/**
 * Creates the driver with the first connection, or after a failure with the next one, so that a pool opens while
 * PostgreSQL is unreachable: creating a driver reads the server's types.
 */
export function onFirstUse(factory: DriverFactory, connectionTimeoutMillis: number): DriverFactory {
  return async (options) => {
    let driver: ReturnType<DriverFactory> | undefined;
    const create = () => {
      const creating = createDriver(factory, options, connectionTimeoutMillis);
      creating.catch(() => {
        driver = undefined;
      });
      return creating;
    };
    return {
      async createClient() {
        driver ??= create();
        return (await driver).createClient();
      },
    };
  };
}

/**
 * slonik reads the types through a client without an error listener or a time-out: a broken connection would end the
 * process, and a hanging one would block every statement. slonik connects before its factory returns.
 */
async function createDriver(
  factory: DriverFactory,
  options: Parameters<DriverFactory>[0],
  connectionTimeoutMillis: number,
): ReturnType<DriverFactory> {
  const connect: () => Promise<pg.Client> = pg.Client.prototype.connect;
  let late: NodeJS.Timeout | undefined;
  pg.Client.prototype.connect = function connectInTime(this: pg.Client) {
    this.on('error', () => {});
    late = setTimeout(() => void this.end(), connectionTimeoutMillis);
    return connect.call(this);
  } as typeof pg.Client.prototype.connect;
  const creating = factory(options);
  pg.Client.prototype.connect = connect as typeof pg.Client.prototype.connect;
  return creating.finally(() => clearTimeout(late));
}

/**
 * Refuses connections to a server in recovery: a copy that still lacks rows, or a standby to which the address now
 * leads. A row missing there would be mistaken for a deleted one (rule 29). Checked once per connection, below the
 * pool, so that this statement is neither counted nor named. A pooler in transaction mode can still move a connection
 * to another server.
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
