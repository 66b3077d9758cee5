/** `node bin/migrate.ts`: applies pending migrations to DATABASE_URL. */
import { DatabaseError } from 'pg';
import { errorCode } from '../db/core/error-code.ts';
import { migrate } from '../db/core/migrate.ts';

/** SQLSTATEs about the connection, its role or database, or the server: the message alone is enough. */
const CONNECTING = /^(08|28|3D|57P|533)/;

// The migration's lock belongs to a connection, which a pooler in transaction mode would lose.
const databaseUrl = process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL;
if (process.argv.includes('--help')) {
  console.log('Usage: DATABASE_URL=postgres://… node bin/migrate.ts\nApplies pending migrations.');
} else if (!databaseUrl) {
  console.error('DATABASE_URL is not set.');
  process.exitCode = 1;
} else {
  try {
    const applied = await migrate(databaseUrl, console.log);
    console.log(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`);
  } catch (error) {
    // A faulty migration also needs the error's position, so throw the whole error.
    if (error instanceof DatabaseError && !CONNECTING.test(error.code ?? '')) throw error;
    console.error(`PostgreSQL: ${(error as Error).message || errorCode(error)}`);
    process.exitCode = 1;
  }
}
