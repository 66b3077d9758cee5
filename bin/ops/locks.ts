/** Shows which sessions block others in PostgreSQL, and ends a forgotten one. */
import { type DatabaseSession, endDatabaseSession, listDatabaseSessions } from '../../db/operations/locks.ts';
import { type OpsCommand, type OpsContext, parseOpsArgs, WrongArguments } from './core/command.ts';
import { printTable, shortAge } from './core/table.ts';

/** The service's own transactions are never idle for this long. */
const FORGOTTEN_SECONDS = 5;

export const locks: OpsCommand = {
  usage: 'locks [--end <pid> --reason <why>]',

  help: `Lists the database sessions that are not idle: first those that block others, then the longest transaction.
--end ends one, such as a forgotten "idle in transaction" that blocks others: its transaction is rolled back.
Exit code: 0 if nothing is blocked, or the session has ended; 1 if something is blocked, or the session was not found;
2 for invalid arguments.`,

  async run(args, context) {
    const { values } = parseOpsArgs(args, 0, {
      end: { type: 'string' },
      reason: { type: 'string' },
    });
    if (values.end !== undefined) return end(context, values.end, values.reason?.trim(), values.json);
    const sessions = await listDatabaseSessions(context.pool);
    const blocked = sessions.filter((each) => each.blocked_by.length > 0).length;
    if (values.json) console.log(JSON.stringify(sessions));
    else print(sessions, blocked);
    return blocked > 0 ? 1 : 0;
  },
};

async function end({ pool, actor }: OpsContext, named: string, reason: string | undefined, json: boolean) {
  if (!/^\d{1,9}$/.test(named)) throw new WrongArguments('--end must be a pid.');
  if (!reason) throw new WrongArguments('--reason is required.');
  const ended = await endDatabaseSession(pool, Number(named), { actor: await actor(), reason });
  const words = ended ? `Session ${named} has ended.` : `No session of this database has the pid ${named}.`;
  console.log(json ? JSON.stringify({ ended }) : words);
  return ended ? 0 : 1;
}

function print(sessions: readonly DatabaseSession[], blocked: number): void {
  if (sessions.length > 0)
    printTable(
      ['PID', 'PROGRAM', 'STATE', 'FOR', 'BLOCKS', 'BLOCKED BY', 'STATEMENT'],
      sessions.map((each) => [
        `${each.pid}`,
        each.program ?? '',
        each.state ?? 'not visible',
        shortAge(each.seconds),
        `${each.blocks}`,
        each.blocked_by.join(' ') || '-',
        each.query ?? '',
      ]),
    );
  const [first] = sessions.filter((each) => each.blocks > 0 && each.blocked_by.length === 0);
  const forgotten = sessions.find(
    ({ state, seconds }) => state?.startsWith('idle in transaction') && seconds >= FORGOTTEN_SECONDS,
  );
  console.log(blocked === 0 ? 'No session waits for a lock now.' : `${blocked} wait for a lock.`);
  const found = first ?? forgotten;
  if (!found) return;
  const why = first
    ? 'blocks and is not blocked'
    : 'is idle in a transaction; statements that waited for it have timed out and will be retried';
  console.log(`Session ${found.pid} ${why}: npm run ops -- locks --end ${found.pid} --reason <why>`);
}
