/** `npm run operations-table`: writes the table of states and operations into docs/subscriptions.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withOperationsTable } from './docs/operations-table.ts';

const FILE = new URL('../docs/subscriptions.md', import.meta.url);

writeFileSync(FILE, withOperationsTable(readFileSync(FILE, 'utf8')));
