/** `node bin/migrate.ts`: applies pending migrations to DATABASE_URL. */
import { migrate } from '../db/core/migrate.ts';

// The migration's lock belongs to a connection, which a pooler in transaction mode would lose.
const databaseUrl = process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL;
if (process.argv.includes('--help')) {
  console.log('Usage: DATABASE_URL=postgres://… node bin/migrate.ts\nApplies pending migrations.');
} else if (!databaseUrl) {
  console.error('DATABASE_URL is not set.');
  process.exitCode = 1;
} else {
  const applied = await migrate(databaseUrl);
  console.log(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`);
}
