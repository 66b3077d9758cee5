/** Shows whether the sweep runs and why not, and restarts it. */
import type { AuditEntry } from '../../db/core/audit.ts';
import { LATE_AFTER_SECONDS, secondsSinceSweep } from '../../db/core/heartbeats.ts';
import { sweepNow } from '../../platform/temporal/sweep-now.ts';
import {
  readSweepSchedule,
  type SweepSchedule,
  unpauseSweep,
} from '../../platform/temporal/sweep-schedule.ts';
import { SWEEP_SCHEDULE_ID } from '../../workflows/sweep/sweep-messages.ts';
import { audited } from './core/audited.ts';
import { type OpsCommand, type OpsContext, parseOpsArgs, temporalAnswers } from './core/command.ts';
import { shortAge } from './core/table.ts';

const TIMEOUT_MS = 5_000;

export const sweep: OpsCommand = {
  usage: 'sweep [--unpause | --now]',

  help: `Shows when the sweep last finished a round, whether its Schedule is paused and by whom, and which step fails.
  --unpause   lets the Schedule start rounds again
  --now       starts a round now
Exit code: 0 if the last round is younger than five minutes and the Schedule is not paused, 1 if not, 2 for invalid
arguments.`,

  async run(args, context) {
    const { pool, temporal } = context;
    const { values } = parseOpsArgs(args, 0, {
      unpause: { type: 'boolean', default: false },
      now: { type: 'boolean', default: false },
    });
    const read = () => temporalAnswers(readSweepSchedule(temporal, TIMEOUT_MS));
    if (values.unpause && (await read())?.paused) {
      const note = `unpaused by ${await context.actor()}`;
      await change(context, 'sweep.unpause', () => unpauseSweep(temporal, TIMEOUT_MS, note));
    }
    if (values.now) await change(context, 'sweep.start', () => sweepNow(temporal));
    const seconds = await secondsSinceSweep(pool);
    const schedule = await read();
    if (values.json) console.log(JSON.stringify({ seconds_since_last: seconds, schedule }));
    else for (const line of linesOf(seconds, schedule)) console.log(line);
    return seconds > LATE_AFTER_SECONDS || !schedule || schedule.paused ? 1 : 0;
  },
};

function change(context: OpsContext, action: AuditEntry['action'], call: () => Promise<void>): Promise<void> {
  return temporalAnswers(audited(context, { action, subjectId: SWEEP_SCHEDULE_ID, after: {} }, call));
}

function linesOf(seconds: number, schedule: SweepSchedule | null): readonly string[] {
  const last = `Last round: ${shortAge(Math.round(seconds))} ago.`;
  if (!schedule) return [last, 'There is no Schedule: a worker creates it when it starts.'];
  const { paused, note, next_at: next, last_started_at: started, failing } = schedule;
  return [
    last,
    paused
      ? `The Schedule is paused: ${note || 'no reason given'}. After asking that person: npm run ops -- sweep --unpause`
      : `The Schedule is active. Last start: ${started ?? 'none'}; next: ${next ?? 'none'}.`,
    ...failing.map(({ activity, tries, error }) => `${activity} has failed ${tries} times: ${error}`),
  ];
}
