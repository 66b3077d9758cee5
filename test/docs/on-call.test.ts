/** docs/on-call.md has one short section per cause, all in the same format. @reads docs deploy/observability bin */
import { expect, test } from '@jest/globals';
import { SECTIONS } from '../../bin/ops/health.ts';
import { KINDS_OF_INCIDENT } from '../../contract/operations/incident-kinds.ts';
import { alertRules, type Rule } from '../support/tool/observability-files.ts';
import { codeSpans, read } from './documents.ts';
import { causes, firstCommandOf, LINES, lineOf, ON_CALL } from './on-call-sections.ts';

const MOST_WORDS = 3_500;
const MOST_WORDS_OF_A_CAUSE = 120;
const HALF_AN_HOUR = 1_800;
/** Longest delay of a rule that pages immediately. */
const AT_ONCE = 600;
/** When a section's alert pages; the section's other alerts are listed with their own times. */
const WAKE =
  /^(At once|After 30 minutes|In the morning)((?:; `\w+`: (?:at once|after 30 minutes|in the morning))*)\.$/;
const wordsIn = (text: string) => text.split(/\s+/).filter(Boolean).length;

test(`the runbook has at most ${MOST_WORDS} words`, () => {
  expect(wordsIn(read(ON_CALL))).toBeLessThanOrEqual(MOST_WORDS);
});

test.each(causes().map((each) => [each.name, each] as const))(
  'the section %s has every required line, in at most 120 words',
  (_, each) => {
    const names = each.lines.map(([name]) => name);
    const expected = LINES.filter((name) => name !== 'Never' || names.includes('Never'));
    expect(names).toEqual(expected);
    expect(wordsIn(each.text)).toBeLessThanOrEqual(MOST_WORDS_OF_A_CAUSE);
    expect(firstCommandOf(each)).toMatch(/^ops [a-z][a-z -]*(--[a-z-]+( [a-z0-9_]+)?)?$/);
    expect(lineOf(each, 'Wake')).toMatch(WAKE);
  },
);

test('every kind of incident has a section', () => {
  const named = new Map(causes().map((each) => [each.name, each]));
  expect(KINDS_OF_INCIDENT.filter((kind) => !named.has(kind))).toEqual([]);
  const listed = [...named.values()]
    .map(firstCommandOf)
    .flatMap((command) => /--kind (\w+)/.exec(command)?.[1] ?? []);
  expect(listed.filter((kind) => !named.has(kind))).toEqual([]);
});

test('`ops health` names a section for each part that can be down', () => {
  const named = causes().map(({ name }) => name);
  expect(Object.values(SECTIONS).filter((section) => !named.includes(section))).toEqual([]);
});

test('every section is named after a kind of incident or an alert', () => {
  const known = new Set<string>([...KINDS_OF_INCIDENT, ...alertRules().map(({ alert }) => alert)]);
  expect(causes().filter(({ name }) => !known.has(name))).toEqual([]);
});

/** Seconds from a rule's cause to its alert: the age that it checks, how long it counts, and its `for`. */
function delayOf({ expr, for: lasting = '0m' }: Rule): number {
  const [, step = '0', count = '1'] = /\[\d+m:(\d+)s]\) >= (\d+)/.exec(expr) ?? [];
  if (Number(step) > 0) return Number(step) * (Number(count) - 1);
  const [, age = '0'] = /age_seconds[^>]*> (\d+)/.exec(expr) ?? [];
  // Long ages: the rule also has a `for`, in which work catches up after an outage; it is not counted.
  return Number(age) >= HALF_AN_HOUR
    ? Number(age)
    : Number(age) + Number.parseInt(lasting, 10) * (lasting.endsWith('m') ? 60 : 1);
}

test('an alert pages exactly when its runbook section says so, and other alerts are tickets', () => {
  const sections = new Map(causes().map((each) => [each.name.toLowerCase(), each]));
  const inSections = alertRules().flatMap((rule) => {
    const [, anchor = ''] = rule.annotations.runbook_url.split('#');
    const kinds = /kind=~"([^"]+)"/.exec(rule.expr)?.[1]?.split('|') ?? [];
    const leadsTo = sections.has(anchor) ? [anchor] : kinds;
    expect(leadsTo.length).toBeGreaterThan(0);
    return leadsTo.map((name) => {
      const [, wake = '', others = ''] = WAKE.exec(lineOf(sections.get(name) as never, 'Wake')) ?? [];
      const [, own = wake] = new RegExp(`\`${rule.alert}\`: ([^;]+)`).exec(others) ?? [];
      return [`${rule.alert}: ${name}`, own.toLowerCase(), whenOf(rule).toLowerCase()];
    });
  });
  expect(inSections.filter(([, says, does]) => says !== does)).toEqual([]);
});

function whenOf(rule: Rule): string {
  if (rule.labels.severity !== 'page') return 'In the morning';
  const delay = delayOf(rule);
  if (delay <= AT_ONCE) return 'At once';
  return delay === HALF_AN_HOUR ? 'After 30 minutes' : `after ${delay} s`;
}

test('every command that the runbook names exists', () => {
  const table = /const COMMANDS[^{]*\{([\s\S]*?)\n\};/.exec(read('bin/ops.ts'))?.[1] ?? '';
  const commands = [...table.matchAll(/^ {2}'?([a-z][a-z -]*)'?[:,]/gm)].map(([, name = '']) => name);
  expect(commands).toContain('incident close');
  const named = codeSpans(ON_CALL).flatMap(({ text }) => /^ops ([a-z].*)$/.exec(text)?.[1] ?? []);
  expect(named.length).toBeGreaterThan(50);
  const exists = (text: string) => commands.some((name) => text === name || text.startsWith(`${name} `));
  expect(named.filter((text) => !exists(text))).toEqual([]);
});
