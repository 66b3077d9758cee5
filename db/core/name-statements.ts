/**
 * Statements are named after their text, so that PostgreSQL parses and plans each only once per connection. PostgreSQL
 * still compares costs (`plan_cache_mode = auto`): if the generic plan costs more than custom plans, as in a list
 * filtered by a rare type, it plans each execution.
 */
import { createHash } from 'node:crypto';
import type { Interceptor } from 'slonik';

/**
 * Limit of named statements per pool. A connection keeps the plan of each one it has executed, 20 to 100 kB each. The
 * code has about 400 statements. Without the limit, a statement whose text varies with each call would fill the
 * server's memory.
 */
const MOST_TEXTS = 1_000;

export function nameStatements(): Interceptor {
  const names = new Map<string, string>();

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known || names.size >= MOST_TEXTS) return known;
    const name = `s_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
    return name;
  }

  return {
    name: 'name-statements',
    transformQuery: (_context, query) => {
      const name = nameOf(query.sql);
      return name ? { ...query, name } : query;
    },
  };
}
