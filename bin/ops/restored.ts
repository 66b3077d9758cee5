/** Announces a restore: of PostgreSQL, which is fenced until it was compared with the rail (rule 29), or of Temporal. */
import { setTimeout as pause } from 'node:timers/promises';
import { givenInstant } from '../../contract/core/fields.ts';
import { closeDifference } from '../../db/restore/close-differences.ts';
import { type RestoreProgress, readRestoreProgress } from '../../db/restore/compare.ts';
import { fenceIfRestored, type LedgerCopy, readLedgerCopy } from '../../db/restore/fence.ts';
import { isTemporalAway } from '../../platform/temporal/grpc-code.ts';
import { type Polling, workersSince } from '../../platform/temporal/old-workers.ts';
import { startRestore } from '../../platform/temporal/restored.ts';
import { confirmed } from './core/ask-to-confirm.ts';
import {
  type OpsCommand,
  type OpsContext,
  parseOpsArgs,
  temporalAnswers,
  WrongArguments,
} from './core/command.ts';

const FENCE_QUESTION =
  'Fence the database? No payment, refund or webhook is sent until it has been compared.';
const TIMEOUT_MS = 15 * 60_000;
const ANSWER_TIMEOUT_MS = 5_000;

export const restored: OpsCommand = {
  usage: 'restored [--temporal] [--since <instant>] [--yes] [--no-wait]',

  help: `Run this after restoring PostgreSQL from a backup. Nothing is charged, refunded or delivered until the rail's
lists since the backup have been compared with the database: what is missing is rebuilt, or shown by "list".
Workers notice most restores themselves; this command makes sure, and shows the progress in either case. The
announcement goes into the audit log.

  --temporal  Temporal was restored, or has failed over, and PostgreSQL was not: nothing is fenced. Waits until every
              worker was restarted, since --since or now; until then it exits with 1
  --since     compares the rail's charges and refunds since then, if that is earlier than an hour before the backup's last
              sweep
  --yes skips the confirmation
  --no-wait   prints the progress of the comparison, and does not wait for its end

Exit code: 0 if the fence is lifted and nothing is left for an operator, or with --no-wait if the comparison has begun;
1 if not, 2 for invalid arguments.`,

  async run(args, context) {
    const { values } = parseOpsArgs(args, 0, {
      since: { type: 'string' },
      temporal: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      'no-wait': { type: 'boolean', default: false },
    });
    const { pool, temporal } = context;
    const since = values.since === undefined ? undefined : instantOf(values.since);
    if (values.temporal)
      return restoredTemporal(context, {
        instant: since ?? new Date().toISOString(),
        waits: !values['no-wait'],
        json: values.json,
      });
    if ((await readLedgerCopy(pool)).fencedAt === null) {
      if (!values.json) console.error('The database is not fenced: no restore is being compared.');
      if (!(await confirmed(FENCE_QUESTION, context.input, values.yes))) return 1;
      const announced = { actor: await context.actor() };
      await fenceIfRestored(pool, { sweepNumber: null, announced, since });
    }
    const copy = await readLedgerCopy(pool);
    // The sweep may have fenced the database while the question was open.
    if (copy.fencedAt !== null && since && !coversSince(copy, since)) {
      throw new WrongArguments(
        `The database is already fenced and compared from ${copy.compareSince} on. Once the fence is lifted, run ` +
          'the command again with --since.',
      );
    }
    const start = () => startRestore(pool, temporal);
    const begun = await temporal.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, start).catch((error: Error) => {
      console.error(`Temporal does not answer (${error.message}): the next sweep starts the comparison.`);
      return null;
    });
    if (values['no-wait']) {
      await showProgress(context, values.json);
      return begun === null ? 1 : 0;
    }
    const { epoch, lifted, progress } = await follow(context, values.json ? () => {} : console.log);
    if (values.json) console.log(JSON.stringify({ epoch, lifted, ...progress }));
    else if (lifted) console.log('The fence is lifted.');
    else
      console.log(
        'Still fenced. Run the command again to follow the comparison, or open its workflow in Temporal UI.',
      );
    if (progress.forAPerson > 0 && !values.json) console.log('Next: npm run ops -- list');
    return lifted && progress.forAPerson === 0 ? 0 : 1;
  },
};

/**
 * Waits until no worker that was started before the restore of Temporal still polls (rule 45).
 * @param instant when Temporal was available again, ISO 8601
 */
async function restoredTemporal(
  { temporal }: OpsContext,
  { instant, waits, json }: { readonly instant: string; readonly waits: boolean; readonly json: boolean },
): Promise<number> {
  const print = json ? () => {} : console.log;
  print(
    'Restart every worker: one that ran during the restore still caches runs that are newer than the restored histories.',
  );
  let printed = '';
  for (const end = performance.now() + TIMEOUT_MS; ; await pause(1_000)) {
    const isWaiting = waits && performance.now() < end;
    const answer = temporal.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, () =>
      workersSince(temporal, instant),
    );
    const polling = await temporalAnswers(
      answer.catch((error: unknown) => {
        if (isWaiting && isTemporalAway(error)) return null;
        throw error;
      }),
    );
    if (!polling) continue;
    const isDone = polling.old.length + polling.unserved.length === 0;
    const line = polled(polling, instant);
    if (line !== printed) print(line);
    printed = line;
    if (!isDone && isWaiting) continue;
    if (json) console.log(JSON.stringify({ restarted: isDone, ...polling }));
    return isDone ? 0 : 1;
  }
}

function polled({ old, unserved }: Polling, instant: string): string {
  if (old.length > 0)
    return `Workers started before ${instant} that polled in the last five minutes: ${old.join(', ')}`;
  if (unserved.length > 0) return `No worker started since ${instant} serves ${unserved.join(', ')}.`;
  return 'Every worker was restarted. The sweep starts the workflows that Temporal has lost.';
}

/** Records how an operator handled a charge or refund that only the rail has. */
export const restoredSettle: OpsCommand = {
  usage: 'restored settle <ap_pay_… | ap_ref_… | ap_sub_…:…> --evidence <what was done> [--continue]',

  help: `Removes a "not_in_database" row from "list" once the money has been refunded in the rail's dashboard or the row has
been entered by hand.
The actor and the evidence go into the audit log: do not enter buyers' names.

  --continue   lets the subscription that this request stopped or paused continue: it renews, and its unpaid invoices are
               charged. Refused if it has since lost a dispute or one of its charges is still listed. If the merchant
               has since cancelled it, it ends with its period unless they undo that.

Without --continue, a paused subscription stays paused. A subscription that could not pause because of an unpaid invoice
or a trial is held, and stays listed until --continue or a cancellation; once its invoices are paid, it pauses without a
charge.

Exit code: 0, 1 if nothing with this id is listed, or the subscription cannot continue or is held, 2 for invalid
arguments.`,

  async run(args, { pool, actor }) {
    const { reference, evidence, json, continues } = parseEvidence(args);
    const closed = await closeDifference(pool, {
      reference,
      operator: await actor(),
      evidence,
      continues,
    });
    if (json) console.log(JSON.stringify({ reference, settled: closed }));
    else
      console.log(
        closed
          ? `${reference} is settled.`
          : `${reference} is not listed, cannot continue, or is held: see --help.`,
      );
    return closed ? 0 : 1;
  },
};

/** @throws WrongArguments */
function parseEvidence(args: readonly string[]) {
  const { values, positionals } = parseOpsArgs(args, 1, {
    evidence: { type: 'string' },
    continue: { type: 'boolean', default: false },
  });
  const [reference] = positionals;
  const { evidence, json } = values;
  if (!reference || !evidence) throw new WrongArguments('An id and --evidence are required.');
  return { reference, evidence, json, continues: values.continue };
}

/** Without an offset, an instant would depend on the machine's time zone. */
function instantOf(text: string): string {
  const since = givenInstant.safeParse(text);
  if (!since.success)
    throw new WrongArguments('--since must be a timestamp with a UTC offset, such as 2026-05-03T10:00:00Z.');
  return since.data;
}

function coversSince({ compareSince }: LedgerCopy, since: string): boolean {
  return compareSince !== null && Date.parse(compareSince) <= Date.parse(since);
}

/** Reads the epoch in every round, because another restore changes it. */
async function follow(
  { pool }: OpsContext,
  print: (line: string) => void,
): Promise<{ readonly epoch: number; readonly lifted: boolean; readonly progress: RestoreProgress }> {
  let printed = '';
  for (const end = performance.now() + TIMEOUT_MS; ; await pause(500)) {
    const { epoch, fencedAt } = await readLedgerCopy(pool);
    const progress = await readRestoreProgress(pool, epoch);
    const lifted = fencedAt === null;
    const line = describe(progress);
    if (line !== printed) print(line);
    printed = line;
    if (lifted || performance.now() > end) return { epoch, lifted, progress };
  }
}

async function showProgress({ pool }: OpsContext, json: boolean): Promise<void> {
  const { epoch, fencedAt } = await readLedgerCopy(pool);
  const progress = await readRestoreProgress(pool, epoch);
  const lifted = fencedAt === null;
  if (json) console.log(JSON.stringify({ epoch, lifted, ...progress }));
  else console.log(`${lifted ? 'The fence is lifted' : `Fenced since ${fencedAt}`}: ${describe(progress)}`);
}

function describe({ accounts, compared, listed, open, adopted, forAPerson }: RestoreProgress): string {
  return [
    `${compared} of ${accounts} rail accounts compared, ${listed} charges and refunds`,
    `${open} differences open, ${adopted} adopted, ${forAPerson} for an operator`,
  ].join('; ');
}
