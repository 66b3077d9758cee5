/** The figures as bars, for docs/performance.md: plain SVG without scripts or embedded fonts. */
import type { Machine } from './figures.ts';
import type { Options } from './options.ts';
import { type Comparison, totalCpuMs, waitsOf } from './report.ts';

export interface Panel {
  readonly title: string;
  readonly bars: readonly { readonly label: string; readonly value: number }[];
}

export interface Picture {
  readonly title: string;
  /** Where and how it was measured, on which the figures depend. */
  readonly conditions: readonly string[];
  readonly panels: readonly Panel[];
}

const WIDTH = 760;
const MARGIN = 24;
const LABELS = 170;
const NUMBERS = 70;
const BAR = 16;
const ROW = 24;
const LINE = 18;
const OURS = '#0f766e';
const OTHERS = '#9ca3af';

/** The last bar of each panel is this service's. */
export function drawPicture({ title, conditions, panels }: Picture): string {
  const parts: string[] = [];
  let y = MARGIN + 16;
  const text = (x: number, content: string, more: string) =>
    parts.push(`<text x="${x}" y="${y}" ${more}>${escaped(content)}</text>`);
  text(MARGIN, title, 'font-size="18" font-weight="600"');
  for (const line of conditions) {
    y += LINE;
    text(MARGIN, line, 'font-size="12" fill="#4b5563"');
  }
  for (const panel of panels) {
    y += LINE + 20;
    text(MARGIN, panel.title, 'font-size="14" font-weight="600"');
    y += 6;
    const largest = Math.max(...panel.bars.map(({ value }) => value), Number.MIN_VALUE);
    for (const [index, { label, value }] of panel.bars.entries()) {
      const width = Math.max(1, (value / largest) * (WIDTH - 2 * MARGIN - LABELS - NUMBERS));
      const [x, isOurs] = [MARGIN + LABELS, index === panel.bars.length - 1];
      parts.push(
        `<rect x="${x}" y="${y + (ROW - BAR) / 2}" width="${width.toFixed(1)}" height="${BAR}" rx="2" fill="${isOurs ? OURS : OTHERS}"/>`,
      );
      y += ROW;
      const middle = `dy="-${ROW / 2 - 4}" font-size="13"`;
      text(x - 10, label, `${middle} text-anchor="end"`);
      text(x + width + 8, rounded(value), middle);
    }
  }
  const height = y + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" fill="#111827">`,
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

export function conditionsOf(
  { rounds, operations, temporalOnPostgres, howMany: { apis, workers } }: Options,
  { cpus, cpu, node, loadAverage }: Machine,
  loadAfter: readonly number[],
): string[] {
  const load = (averages: readonly number[]) => averages[0]?.toFixed(1);
  return [
    `${cpus} x ${cpu}, Node ${node}, Temporal ${temporalOnPostgres ? 'on PostgreSQL' : 'development server'}${apis + workers > 2 ? `, APIs: ${apis}, workers: ${workers}` : ''}`,
    `${new Date().toISOString().slice(0, 10)}; medians of ${rounds} rounds of ${operations}; load average ${load(loadAverage)} before, ${load(loadAfter)} after`,
  ];
}

/** Throughput, CPU time and the median of each delay. */
export function panelsOf(measured: readonly Comparison[]): Panel[] {
  return measured.flatMap(({ atOnce, contestants }) => {
    const panel = (title: string, pick: (figures: (typeof contestants)[number]['figures']) => number) => ({
      title: `${title}, ${atOnce} at once`,
      bars: contestants
        .map(({ name, figures }) => ({ label: name, value: pick(figures) }))
        .filter(({ value }) => !Number.isNaN(value)),
    });
    return [
      panel('operations a second', ({ perSecond }) => perSecond),
      panel('CPU, ms per operation', totalCpuMs),
      ...waitsOf(contestants).map((wait) =>
        panel(`${wait}, p50 in ms`, ({ delays }) => delays[wait]?.p50Ms ?? Number.NaN),
      ),
    ];
  });
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1);
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
