import { describe, expect, it } from '@jest/globals';
import { codeSpans, files, read } from './documents.ts';

const sources = files.filter(
  (path) =>
    /\.(ts|mjs|sh|sql|yml|yaml|cjs)$|^Dockerfile$|env\.example$|^\.ci\//.test(path) &&
    !path.startsWith('test/'),
);
const code = sources.map(read).join('\n');
const all = (pattern: RegExp, text = code) => [
  ...new Set([...text.matchAll(pattern)].map(([, found = '']) => found)),
];

const readme = read('README.md');
const operations = read('docs/operations.md');

it('every environment variable that the documents name is one of the code', () => {
  // Examples for merchants, in other languages, name variables of theirs.
  const ours = [
    'README.md',
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/operations.md',
    'sandbox/rail/README.md',
  ];
  const named = ours
    .flatMap(codeSpans)
    .flatMap(({ text }) => all(/\b([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)\b/g, text));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !code.includes(name))).toEqual([]);
});

describe('README.md', () => {
  it('has every folder of the project in its map', () => {
    const map = /## The folders([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
    const inMap = all(/^\| `([\w.-]+)\/`/gm, map);
    const folders = new Set(
      files.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''),
    );
    expect(folders.size).toBeGreaterThan(10);
    expect([...folders].filter((folder) => folder !== '.ci' && !inMap.includes(folder))).toEqual([]);
  });

  it('names test cards that the sandbox rail knows', () => {
    const cards = read('sandbox/rail/cards.ts');
    const named = all(/`(\d{4} ?\d{4} ?\d{4} ?\d{4})`/g, readme).map((number) => number.replaceAll(' ', ''));
    expect(named.length).toBeGreaterThanOrEqual(4);
    expect(named.filter((number) => !cards.includes(number))).toEqual([]);
  });
});

it('README.md names every adapter to a card processor that the service can be run with', () => {
  const adapters = all(/from '\.\.\/rail\/([\w-]+)\/index\.ts'/g, read('bin/rails.ts'));
  expect(adapters).toContain('sandbox');
  expect(adapters.filter((name) => !readme.includes(`\`rail/${name}/\``))).toEqual([]);
});

it('docs/architecture.md lists every workflow that the workers run', () => {
  const architecture = read('docs/architecture.md');
  const workflows = all(/^export \{ (\w+) \}/gm, read('workflows/index.ts'));
  expect(workflows).toContain('checkout');
  expect(workflows.filter((name) => !architecture.includes(`| \`${name}\``))).toEqual([]);
});

describe('docs/operations.md', () => {
  it('explains every alert that the service sends', () => {
    const sent = [
      ...all(/\bcode: '([a-z_]+)', reference/g),
      ...all(/\balertCode: '([a-z_]+)'/g),
      ...all(/\balert\(\w+, \w+, '([a-z_]+)'/g),
    ];
    expect(sent).toEqual(
      expect.arrayContaining(['reconciliation_required', 'orphaned_charge', 'charge_unanswered']),
    );
    expect(sent.filter((alert) => !operations.includes(`### \`${alert}\``))).toEqual([]);
  });

  it('explains every line that the parts log as an error', () => {
    const service = sources
      .filter((path) => !path.startsWith('sandbox/'))
      .map(read)
      .join('\n');
    const logged = all(/logger\.(?:error|fatal)\([^']*'([^']+)'/g, service);
    expect(logged.length).toBeGreaterThan(3);
    expect(logged.filter((message) => !operations.includes(message))).toEqual([]);
  });

  it('names every search attribute that workflows set', () => {
    const attributes = all(/defineSearchAttributeKey\('(\w+)'/g);
    expect(attributes.length).toBeGreaterThanOrEqual(5);
    expect(attributes.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
  });

  it('names every update that an operator may send', () => {
    const updates = all(/defineUpdate<[^(]*>\('(\w+)'\)/g);
    const byMachines = [
      ...['pay', 'completeChallenge', 'methodUpdated'],
      ...['scheduleChange', 'cancelChange', 'advanceClock'],
    ];
    expect(updates).toContain('resolve');
    expect(
      updates.filter((name) => !byMachines.includes(name) && !operations.includes(`\`${name}\``)),
    ).toEqual([]);
  });
});
