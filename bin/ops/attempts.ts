/** Shows how the latest attempts to pay ended, and how long the rail took. */
import {
  countRecentAttempts,
  countRecentCalls,
  MOST_ROWS,
  type RecentAttempts,
  type RecentCalls,
} from '../../db/operations/recent-attempts.ts';
import { type OpsCommand, parseOpsArgs, WrongArguments } from './core/command.ts';
import { printTable } from './core/table.ts';

export const attempts: OpsCommand = {
  usage: 'attempts [--minutes 30] [--merchant <ap_mer_…>]',

  help: `Counts recent attempts to pay by merchant, rail, state and code, and the rail's answers to
them with their times: half of the calls were faster than MEDIAN, 95 % faster than P95.
Exit code: 0 if there were attempts, 1 if there were none, 2 for invalid arguments.`,

  async run(args, { pool }) {
    const { values } = parseOpsArgs(args, 0, {
      minutes: { type: 'string', default: '30' },
      merchant: { type: 'string' },
    });
    if (!/^[1-9]\d{0,3}$/.test(values.minutes))
      throw new WrongArguments('--minutes must be a whole number from 1 to 9999.');
    const recent = { minutes: Number(values.minutes), merchantId: values.merchant };
    const ended = await countRecentAttempts(pool, recent);
    const calls = await countRecentCalls(pool, recent);
    if (values.json) {
      const [attempts, answers] = [ended.slice(0, MOST_ROWS), calls.slice(0, MOST_ROWS)];
      console.log(JSON.stringify({ attempts, calls: answers }));
    } else if (ended.length === 0) console.log(none(recent.minutes));
    else print(ended, calls, values.merchant);
    return ended.length > 0 ? 0 : 1;
  },
};

function none(minutes: number): string {
  const last = minutes === 1 ? 'minute' : `${minutes} minutes`;
  return `No payment attempts in the last ${last}: buyers do not reach payment, or their clicks are still queued.
Next: npm run ops -- health, then npm run ops -- queues.
If this is about one merchant, it may have been stopped: npm run ops -- why <ap_mer_…>`;
}

function print(
  ended: readonly RecentAttempts[],
  calls: readonly RecentCalls[],
  merchantId: string | undefined,
): void {
  printTable(
    ['MERCHANT', 'RAIL', 'STATE', 'CODE', 'ATTEMPTS', 'CUSTOMERS', 'LATEST'],
    ended
      .slice(0, MOST_ROWS)
      .map((each) => [
        `${each.merchant_name} (${each.environment})`,
        each.rail ?? '-',
        each.status,
        each.code ?? '-',
        `${each.attempts}`,
        `${each.customers}`,
        each.latest,
      ]),
  );
  const advice = merchantId ? '' : '; --merchant <ap_mer_…> filters by merchant';
  if (ended.length > MOST_ROWS) console.log(`Only the ${MOST_ROWS} most frequent are shown${advice}.`);
  if (calls.length === 0) return;
  console.log('');
  printTable(
    ['ACCOUNT', 'RAIL', 'CALL', 'ANSWER', 'CODE', 'CALLS', 'MEDIAN', 'P95', 'SLOWEST'],
    calls
      .slice(0, MOST_ROWS)
      .map((each) => [
        each.rail_account_id,
        `${each.rail}:${each.environment}`,
        each.operation,
        each.outcome,
        each.code ?? '-',
        `${each.calls}`,
        `${each.median_ms} ms`,
        `${each.p95_ms} ms`,
        `${each.slowest_ms} ms`,
      ]),
  );
  if (calls.length > MOST_ROWS) console.log(`Only the ${MOST_ROWS} slowest are shown${advice}.`);
}
