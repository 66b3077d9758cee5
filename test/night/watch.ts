/** Breaks one thing, and measures when an operator is notified, what the first command prints, and when it clears. */
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Break } from './breaks.ts';
import type { Night } from './night.ts';

const POLL_MS = 500;
/** CheckoutRailSlow fires after six minutes. */
const TOLD_WITHIN_MS = 480_000;
const OVER_WITHIN_MS = 300_000;
const MOST_CHARACTERS = 40;

export interface Told {
  readonly name: string;
  /** In seconds; null if not notified in time. */
  readonly toldAfter: number | null;
  readonly by: string;
  /** Empty if the first command did not show the break. */
  readonly words: string;
  readonly settledAfter: number | null;
  readonly clearedAfter: number | null;
}

export async function sufferThrough(night: Night, each: Break): Promise<Told> {
  const { alert, aged = 0 } = each;
  // The previous break may have fired it.
  if ((await waitFor(OVER_WITHIN_MS, performance.now(), () => isQuiet(night, each))) === null)
    throw new Error(`${alert} fires before the break`);
  const seen = night.notices.length;
  const command = each.first(night);
  const since = performance.now();
  const id = await each.strike(night).catch((error: Error) => {
    throw new Error(`the break "${each.name}" could not be caused: ${error.message}`);
  });
  const toldAfter = await waitFor(TOLD_WITHIN_MS, since, () => isTold(night, each, seen));
  const said = each.says.exec(await night.ops(...command))?.[0] ?? '';
  // A break that was not settled would also affect the next one.
  const words = said && each.kind ? await reasonOf(night, each.kind).catch(() => said) : said;
  const settling = performance.now();
  await each.settle(night, id);
  const settledAfter = secondsSince(settling);
  const clearedAfter =
    toldAfter === null ? null : await waitFor(OVER_WITHIN_MS, settling, () => isOver(night, each, seen));
  return {
    name: each.name,
    toldAfter: toldAfter && aged + toldAfter,
    by: each.kind ? 'webhook' : `\`${alert ?? `ops ${command[0]}`}\``,
    words: words.replace(/\s+/g, ' ').trim(),
    settledAfter,
    clearedAfter,
  };
}

async function isTold(night: Night, { kind, alert, first, says }: Break, seen: number): Promise<boolean> {
  if (alert) return (await night.firing()).includes(alert);
  if (!kind) return says.test(await night.ops(...first(night)));
  return night.notices
    .slice(seen)
    .some(({ type, incident }) => type === 'incident.opened' && incident.kind === kind);
}

const isQuiet = async (night: Night, { alert }: Break) => !alert || !(await night.firing()).includes(alert);

/** Every incident of the kind that began has ended; or the alert has, and the first command no longer shows it. */
async function isOver(night: Night, each: Break, seen: number): Promise<boolean> {
  const { kind, first, says } = each;
  if (!kind) return (await isQuiet(night, each)) && !says.test(await night.ops(...first(night)));
  const since = night.notices.slice(seen).filter(({ incident }) => incident.kind === kind);
  const ended = new Set(since.filter(({ type }) => type === 'incident.cleared').map(({ key }) => key));
  return ended.size > 0 && since.every(({ key }) => ended.has(key));
}

async function reasonOf(night: Night, kind: string): Promise<string> {
  const found = JSON.parse(await night.ops('list', '--kind', kind, '--json'));
  return found[0]?.reason ?? '';
}

async function waitFor(
  withinMs: number,
  since: number,
  isSo: () => Promise<boolean>,
): Promise<number | null> {
  while (performance.now() - since < withinMs) {
    if (await isSo().catch(() => false)) return secondsSince(since);
    await pause(POLL_MS);
  }
  return null;
}

const secondsSince = (since: number) => Math.round((performance.now() - since) / 100) / 10;

/** Formats the table of docs/on-call.md, compactly: that document has a word limit. */
export function tableOf(told: readonly Told[]): string {
  const seconds = (value: number | null) => (value === null ? 'not' : `${Math.round(value)}`);
  const rows = told.map(({ name, toldAfter, by, words, settledAfter, clearedAfter }) => [
    name,
    `${seconds(toldAfter)}, ${by}`,
    shortened(words),
    seconds(settledAfter),
    seconds(clearedAfter),
  ]);
  const heading = ['Break', 'Notified (s), by', 'The first command says', 'Settled (s)', 'Cleared (s)'];
  return [heading, heading.map(() => '-'), ...rows].map((cells) => `|${cells.join('|')}|`).join('\n');
}

/** Removes details that differ from night to night. */
function shortened(words: string): string {
  const [lasting = ''] = words
    .replace(/ since \d{4}-\S+ \S+ UTC/, '')
    .split(/,? (?:\d{4}-|since|disabled at|is due by)|;|: \d+@| \(\d+ ms/);
  if (lasting.length <= MOST_CHARACTERS) return lasting.replace(/[,;: ]+$/, '');
  const cut = lasting.slice(0, MOST_CHARACTERS);
  return `${cut.slice(0, cut.lastIndexOf(' '))} …`;
}
