/** The schema that a stack's database was created with: until a release, migrations are changed in place. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_DIR } from '../core/directories.ts';

const MIGRATIONS = join(PROJECT_DIR, 'db/migrations');

interface Files {
  readonly postgres: string;
  readonly baseline: string;
}

/** @throws if an applied migration has changed, because it would not be applied again */
export function keepBaseline({ postgres, baseline }: Files, migrations = MIGRATIONS): void {
  const now = hashesOf(migrations);
  const applied = existsSync(baseline) ? Object.entries(JSON.parse(readFileSync(baseline, 'utf8'))) : null;
  if (existsSync(postgres) && !applied?.every(([name, hash]) => now[name] === hash)) {
    throw new Error(
      `The database in ${postgres} has the schema of another baseline: ` +
        '"npm start -- --fresh" starts over, without its data.',
    );
  }
  writeFileSync(baseline, JSON.stringify(now));
}

/** Ignores comments, which often change on their own. */
function hashesOf(migrations: string): Readonly<Record<string, string>> {
  const hashOf = (name: string) => {
    const text = readFileSync(join(migrations, name), 'utf8');
    const schema = text.replace(/^\s*--.*$/gm, '').replace(/\s+/g, ' ');
    return createHash('sha256').update(schema).digest('hex');
  };
  return Object.fromEntries(readdirSync(migrations).map((name) => [name, hashOf(name)]));
}
