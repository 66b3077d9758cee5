/** The page about a run: one HTML file without scripts. */
import type { Fault } from '../checker/records.ts';
import { byFlow } from '../failpoints/by-flow.ts';
import { failedRequests, figuresOf, tellOperations } from './figures.ts';
import type { Outcome } from './run.ts';

const WIDTH = 1_000;
const BUCKETS = 60;
const RATE_HEIGHT = 60;
const MINUTE_MS = 60_000;

export function pageOf(outcome: Outcome): string {
  const { records, violations, purchases, settledAfterMs, failpoints } = outcome;
  const { failed, lost } = failedRequests(outcome);
  const [start, end] = [Date.parse(records.startedAt), Date.parse(records.endedAt)];
  const x = (at: string) => Math.round(((Date.parse(at) - start) / (end - start)) * WIDTH);
  const outcomes = Map.groupBy(purchases, ({ outcome }) => outcome);
  const paid = purchases.filter(({ outcome }) => outcome === 'succeeded');
  const waits = paid.map(({ ms }) => ms);
  const rates = ratesOf(paid, start, end);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Faults, seed ${records.seed}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:66rem;margin:2rem auto;padding:0 1rem;color:#1c1917}
table{border-collapse:collapse}td,th{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top;border-bottom:1px solid #e7e5e4}
svg{width:100%;background:#fafaf9}.good{color:#15803d}.bad{color:#b91c1c}</style>
<h1>Faults, seed ${records.seed}</h1>
<p>Commit ${text(records.commit)}, ${text(records.startedAt)} to ${text(records.endedAt)}: ${records.sessions.length} sessions,
${records.payments.length} payments, ${records.refunds.length} refunds, ${records.subscriptions.length} subscriptions,
${records.received.length} deliveries, ${records.faults.length} faults, ${records.restores.length} restores of PostgreSQL.</p>
<h2 class="${violations.length === 0 ? 'good' : 'bad'}">${violations.length} violations</h2>
${table(
  ['Promise', 'About', 'Found'],
  violations.map(({ promise, subject, found }) => [promise, subject, found]),
)}
<h2>Timeline</h2>
${timeline(records.faults, rates, x)}
<h2>Purchases</h2>
<p>Paid purchases a minute: ${perMinute(mean(rates))} on average, ${perMinute(Math.max(0, ...rates))} at best in one of
${BUCKETS} equal parts of the run, none in ${rates.filter((rate) => rate === 0).length} of them.</p>
<p>From the buyer's first request to the page's outcome: median ${seconds(quantile(waits, 0.5))}, 95 of 100 within
${seconds(quantile(waits, 0.95))}, the slowest ${seconds(quantile(waits, 1))}. Everything had ended ${seconds(settledAfterMs)}
after the last fault, and the whole run took ${seconds(outcome.tookMs)}.</p>
${table(
  ['Outcome', 'Purchases'],
  [...outcomes].map(([outcome, all]) => [outcome, `${all.length}`]),
)}
<h2>Recoveries</h2>
${table(
  ['What', 'Times', 'Median', 'Slowest'],
  figuresOf(outcome).map(({ what, times, medianMs, worstMs }) => [
    what,
    `${times}`,
    seconds(medianMs),
    seconds(worstMs),
  ]),
)}
<p>Requests that failed while an API was killed: ${failed}, of which a repeat did not repair ${lost}.</p>
<p>Operations: ${tellOperations(outcome)}.</p>
<h2>Failpoints</h2>
<p>${outcome.deaths} processes were killed at ${failpoints.length} points inside operations.</p>
${table(
  ['Flow', 'Reached', 'Not reached'],
  byFlow(failpoints).map(({ flow, hit, missed }) => [flow, hit.join('; '), missed.join('; ')]),
)}
<h2>Faults</h2>
${table(
  ['At', 'Kind', 'What'],
  records.faults.map(({ at, kind, what }) => [at.slice(11, 19), kind, what]),
)}
</html>
`;
}

/** Paid purchases a minute, for each of equal parts of the run. */
function ratesOf(paid: Outcome['purchases'], start: number, end: number): readonly number[] {
  const partMs = (end - start) / BUCKETS;
  const counts = Array<number>(BUCKETS).fill(0);
  for (const { at, ms } of paid) {
    const part = Math.min(BUCKETS - 1, Math.max(0, Math.floor((Date.parse(at) + ms - start) / partMs)));
    counts[part] = (counts[part] ?? 0) + 1;
  }
  return counts.map((count) => (count * MINUTE_MS) / partMs);
}

/** Faults above, and below them the rate of paid purchases, on a scale. */
function timeline(faults: readonly Fault[], rates: readonly number[], x: (at: string) => number): string {
  const kinds = [...new Set(faults.map(({ kind }) => kind))];
  const bars = faults.map(({ kind, at, until, what }) => {
    const y = 4 + kinds.indexOf(kind) * 16;
    const width = Math.max(3, x(until) - x(at));
    return `<rect x="${x(at)}" y="${y}" width="${width}" height="11" fill="#b91c1c"><title>${text(what)}</title></rect>`;
  });
  const names = kinds.map(
    (kind, n) => `<text x="2" y="${13 + n * 16}" font-size="10" fill="#57534e">${text(kind)}</text>`,
  );
  const top = kinds.length * 16 + 10;
  const most = Math.max(1, ...rates);
  const heightOf = (rate: number) => Math.round((rate / most) * RATE_HEIGHT);
  const width = WIDTH / BUCKETS;
  const columns = rates.map((rate, n) => {
    const [height, y] = [heightOf(rate), top + RATE_HEIGHT - heightOf(rate)];
    const told = `<title>${perMinute(rate)} a minute</title>`;
    return `<rect x="${Math.round(n * width)}" y="${y}" width="${Math.round(width) - 2}" height="${height}" fill="#0f766e">${told}</rect>`;
  });
  const scale = [most, most / 2].map((rate) => {
    const y = top + RATE_HEIGHT - heightOf(rate);
    const label = `<text x="${WIDTH - 2}" y="${y + 10}" text-anchor="end" font-size="10" fill="#57534e">${perMinute(rate)} a minute</text>`;
    return `<line x1="0" x2="${WIDTH}" y1="${y}" y2="${y}" stroke="#d6d3d1"/>${label}`;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${top + RATE_HEIGHT + 4}" role="img" aria-label="Faults and paid purchases a minute over time">
${[...bars, ...names, ...scale, ...columns].join('\n')}</svg><p>Red: faults. Green: paid purchases a minute.</p>`;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const perMinute = (rate: number) => rate.toFixed(1);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '<p>None.</p>';
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${text(cell)}</${tag}>`).join('')}</tr>`;
  return `<table>${cells('th', head)}${rows.map((row) => cells('td', row)).join('\n')}</table>`;
}

function text(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
