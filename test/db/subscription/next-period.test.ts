/**
 * SQL derives from a row what `nextDue` decides for the workflow: compared in every state, with every flag.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { endsUncharged } from '../../../db/subscription/core/next-period.ts';
import { timetableOf } from '../../../db/subscription/core/subscription-row.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import { type Dunning, dueAtOnce } from '../../../domain/subscription/dunning.ts';
import { BILLED_STATUSES } from '../../../domain/subscription/subscription.ts';
import { nextDue, type Timetable } from '../../../domain/subscription/subscription-view.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

const NOW = '2027-01-01T00:00:00.000Z';
const day = (days: number) => addDays(NOW, days);
const PERIOD_END = day(10);
const FLAGS = [false, true];
/** Both schedules begin today; one ends within the period, one after it. */
const DUNNINGS: readonly (Dunning | null)[] = [
  null,
  { startedAt: NOW, retries: [day(2), day(8)] },
  { startedAt: NOW, retries: [day(2), day(21)] },
];
/** Before, at and after the ends of the period and of both schedules; null waits for another method. */
const CHARGES = [...[1, 8, 9, 10, 11, 21, 22].map(day), null];

let database: OpenTestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

/** Rows with an unpaid invoice and no open payment. */
function* unpaidRows() {
  for (const status of BILLED_STATUSES)
    for (const dunning of DUNNINGS)
      for (const charge_at of CHARGES)
        for (const cancel_at_period_end of FLAGS)
          for (const collects of FLAGS)
            for (const pause_at_period_end of FLAGS)
              for (const charging_stopped of FLAGS)
                for (const next_period_waits of FLAGS)
                  for (const billing_cycles_left of [null, 0, 3])
                    for (const cancel_requested_at of [null, NOW])
                      if (charge_at || dunning)
                        yield {
                          status,
                          dunning,
                          charge_at: charging_stopped ? null : charge_at,
                          cancel_at_period_end,
                          collects,
                          pause_at_period_end,
                          charging_stopped,
                          next_period_waits,
                          billing_cycles_left,
                          cancel_requested_at,
                          current_period_end: PERIOD_END,
                          resumes_at: null,
                          announce_at: null,
                          open_payment_id: null,
                          open_change: null,
                        };
}

type Row = ReturnType<typeof unpaidRows> extends Generator<infer Each> ? Each : never;

/** Whether the workflow charges before it ends the subscription, with another method as soon as there is one. */
function isCharged(row: Row): boolean {
  const { chargeAt, dunning, ...rest } = timetableOf(row);
  let at: Timetable = {
    ...rest,
    dunning,
    chargeAt: row.charging_stopped ? null : (chargeAt ?? dueAtOnce(dunning, NOW)),
  };
  for (let periods = 0; periods < 4; periods++) {
    const due = nextDue(at);
    if (due?.action !== 'boundary' || at.cancelAtPeriodEnd || at.isLastPeriod)
      return due?.action === 'charge';
    at = { ...at, currentPeriodEnd: addDays(at.currentPeriodEnd, 10) };
  }
  throw new Error(`neither charged nor ended: ${JSON.stringify(row)}`);
}

test('SQL and workflow agree on which unpaid invoices are never charged again', async () => {
  const rows = [...unpaidRows()];
  const json = rows.map(({ dunning, ...row }) => ({ ...row, retries: dunning && [...dunning.retries] }));
  const ends = await database.pool.anyFirst(sql.type(z.object({ ends: z.boolean() }))`
    select ${endsUncharged} as ends from (
      select n, cancel_at_period_end, collects, cancel_requested_at, current_period_end, charge_at,
        case when charging_stopped then current_period_end end as charging_stopped_at,
        case when retries is not null then jsonb_build_object('retries', retries) end as dunning
      from rows from (jsonb_to_recordset(${sql.jsonb(json)}) as (cancel_at_period_end boolean, collects boolean,
        cancel_requested_at timestamptz, current_period_end timestamptz, charge_at timestamptz,
        charging_stopped boolean, retries text[])) with ordinality as each (cancel_at_period_end, collects,
        cancel_requested_at, current_period_end, charge_at, charging_stopped, retries, n)
    ) s order by n`);
  const differing = rows.filter((row, n) => ends[n] === isCharged(row));
  expect({
    count: differing.length,
    examples: differing.slice(0, 3).map((row) => JSON.stringify(row)),
  }).toEqual({ count: 0, examples: [] });
});
