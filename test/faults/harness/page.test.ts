/** @reads test/faults/checker/fixtures */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Records } from '../checker/records.ts';
import { pageOf } from './page.ts';
import type { Outcome } from './run.ts';

const file = join(import.meta.dirname, '../checker/fixtures/run.json');
const real = JSON.parse(readFileSync(file, 'utf8')) as Records;
/** A run of ten minutes, so that each of the page's sixty parts covers ten seconds. */
const START = Date.parse('2026-11-22T18:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1_000).toISOString();

/** Six are paid in the first ten seconds, and one in the last; one is declined. */
const purchases = [
  ...[1, 2, 3, 4, 5, 6].map((second) => ({ at: at(second), ms: 2_000, outcome: 'succeeded' })),
  { at: at(300), ms: 9_000, outcome: 'failed' },
  { at: at(590), ms: 8_000, outcome: 'succeeded' },
];
const outcome: Outcome = {
  records: {
    ...real,
    seed: 42,
    startedAt: at(0),
    endedAt: at(600),
    faults: [
      { kind: 'SIGKILL of a worker', what: 'worker 1', at: at(60), until: at(63) },
      { kind: 'the rail lies', what: '<b>ap_pay_1</b> & "more"', at: at(120), until: at(121) },
    ],
  },
  violations: [{ promise: 'no secret in a log', subject: 'ap_chk_1', found: '<script>alert(1)</script>' }],
  purchases,
  settledAfterMs: 12_340,
  tookMs: 612_000,
  armed: ['sweepOnce begins'],
  failpoints: ['sweepOnce begins'],
  deaths: 1,
  recoveries: [{ what: 'PostgreSQL crashes, until a session is created', ms: 1_500 }],
  operations: new Map([['pays as it is retried', 3]]),
};
const page = pageOf(outcome);
const rectangles = [
  ...page.matchAll(/<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" fill="(#\w+)"/g),
].map(([, x, y, width, height, fill]) => ({
  x: Number(x),
  y: Number(y),
  width: Number(width),
  height: Number(height),
  fill,
}));

test('the page is one file without scripts, whatever the records contain', () => {
  expect(page).toMatch(/^<!doctype html><html lang="en">/);
  expect(page.trimEnd()).toMatch(/<\/html>$/);
  expect(page).not.toMatch(/<script|<b>|src=|href=/);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).not.toMatch(/NaN|undefined|Infinity/);
});

test('every element of the page is closed', () => {
  for (const name of ['table', 'tr', 'td', 'th', 'p', 'h1', 'h2', 'svg', 'title', 'text', 'style']) {
    const opened = page.match(new RegExp(`<${name}[ >]`, 'g'))?.length ?? 0;
    expect([name, page.split(`</${name}>`).length - 1]).toEqual([name, opened]);
  }
});

test('the timeline shows each fault at its time', () => {
  const red = rectangles.filter(({ fill }) => fill === '#b91c1c');
  expect(red.map(({ x }) => x)).toEqual([100, 200]);
  expect(red[0]?.width).toBe(5);
  for (const { x, width } of rectangles) expect(x + width).toBeLessThanOrEqual(1_000);
});

test('the rate of paid purchases is shown over time and on a scale', () => {
  const green = rectangles.filter(({ fill }) => fill === '#0f766e');
  expect(green).toHaveLength(60);
  expect(green.map(({ height }) => height)).toEqual([60, ...Array(58).fill(0), 10]);
  expect(page).toContain('36.0 a minute');
  expect(page).toContain('18.0 a minute');
  expect(page).toMatch(/Paid purchases a minute: 0\.7 on average, 36\.0 at best .* none in 58 of them/s);
});

test('the page shows the outages that clients saw, purchase times, and the length of the run', () => {
  expect(page).toMatch(/PostgreSQL crashes, until a session is created<\/td><td>1<\/td><td>1\.5 s/);
  expect(page).toMatch(/median 2\.0 s, 95 of 100 within\s8\.0 s/);
  expect(page).toMatch(/12\.3 s\s+after the last fault, and the whole run took 612\.0 s/);
  expect(page).toContain('<td>succeeded</td><td>7</td>');
  expect(page).toContain('1 violations');
});

test('the page shows how often each operation took place, including those that never did', () => {
  expect(page).toContain('pays as it is retried 3, pays by link as it is retried 0');
  expect(page).toContain('sells the last redemption of a coupon 0');
});

test('the page shows the reached and unreached failpoints of each flow', () => {
  expect(page).toContain('1 processes were killed at 1 points');
  expect(page).toMatch(/<td>sweep<\/td><td>sweepOnce begins<\/td><td>sweepOnce has committed; /);
});
