/** Prints the events of a subject as they happen. */
import { setTimeout as pause } from 'node:timers/promises';
import { explain } from '../../db/operations/explain.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from './core/command.ts';
import { idOf, onlySubject } from './core/named-subject.ts';

const ENDED: readonly string[] = ['succeeded', 'failed', 'cancelled', 'expired', 'refunded', 'won', 'lost'];

export const follow: OpsCommand = {
  usage: 'follow <any id> [--seconds <how long>]',

  help: `Prints the history of an object and each new entry as it is written, until the object has ended: the steps of
its workflow, and the rail's answers. Reads PostgreSQL only.
Exit code: 0 if it has ended, 1 if not or if nothing has this id, 2 for invalid arguments.`,

  async run(args, { pool, links }) {
    const { values, positionals } = parseOpsArgs(args, 1, {
      seconds: { type: 'string', default: '3600' },
    });
    if (!/^\d{1,6}$/.test(values.seconds)) throw new WrongArguments('--seconds must be a whole number.');
    const named = idOf(positionals);
    const printed = new Set<string>();
    for (const end = performance.now() + 1_000 * Number(values.seconds); ; await pause(1_000)) {
      const subject = await onlySubject(pool, named);
      if (!subject) return 1;
      const { history } = await explain(pool, subject, links);
      for (const entry of history) {
        const line = values.json ? JSON.stringify(entry) : `${entry.at}  ${entry.what}  (${entry.id})`;
        if (!printed.has(line)) console.log(line);
        printed.add(line);
      }
      if (ENDED.includes(subject.state)) return 0;
      if (performance.now() > end) return 1;
    }
  },
};
