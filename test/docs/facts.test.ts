import { describe, expect, test } from '@jest/globals';
import { CARDS_TO_TRY } from '../../sandbox/rail/core/test-cards.ts';
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
const onCall = read('docs/on-call.md');

test('every environment variable in the documents exists in the code', () => {
  // Other documents have examples for merchants, with their shops' variables.
  const ours = [
    'README.md',
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/on-call.md',
    'docs/operations.md',
    'docs/deploying.md',
    'docs/restores.md',
    'docs/data-retention-and-key-rotation.md',
    'sandbox/rail/README.md',
  ];
  const named = ours
    .flatMap(codeSpans)
    .flatMap(({ text }) => all(/\b([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)\b/g, text));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !code.includes(name))).toEqual([]);
});

test('README.md has at most 700 words', () => {
  expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(700);
});

test('CONTRIBUTING.md lists every folder of the project', () => {
  const map = /## The folders([\s\S]*?)\n## /.exec(read('CONTRIBUTING.md'))?.[1] ?? '';
  const inMap = all(/^\| `([\w.-]+)\/`/gm, map);
  const folders = new Set(files.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''));
  expect(folders.size).toBeGreaterThan(10);
  expect([...folders].filter((folder) => !folder.startsWith('.') && !inMap.includes(folder))).toEqual([]);
});

test('README.md names the same test cards as `npm start` and the demo shop', () => {
  const rows = [...readme.matchAll(/^\| `(\d{4} [\d ]+)` +\| (.+?) +\|$/gm)];
  expect(rows.map(([, number, what]) => [number, what])).toEqual(CARDS_TO_TRY);
});

test('README.md names every rail adapter', () => {
  const adapters = all(/from '\.\.\/rail\/([\w-]+)\/index\.ts'/g, read('bin/rails.ts'));
  expect(adapters).toContain('sandbox');
  expect(adapters.filter((name) => !readme.includes(`\`rail/${name}/\``))).toEqual([]);
});

test('docs/architecture.md lists every workflow', () => {
  const architecture = read('docs/architecture.md');
  const workflows = all(/^export \{ (\w+) \}/gm, read('workflows/index.ts'));
  expect(workflows).toContain('checkout');
  expect(workflows.filter((name) => !architecture.includes(`| \`${name}\``))).toEqual([]);
});

test('docs/architecture.md lists every alert with the files that send it', () => {
  const table =
    /Code of `billing\.operational_alert`([\s\S]*?)\n\n/.exec(read('docs/architecture.md'))?.[1] ?? '';
  const rows = table
    .split('\n')
    .map((line) => line.split('|'))
    .flatMap(([, codes = '', places = '']) => {
      const paths = all(/`([\w./-]+\.ts)`/g, places);
      return all(/`([a-z_]+)`/g, codes).map((alert) => ({ alert, paths }));
    });
  expect(rows.length).toBeGreaterThan(15);
  const unsent = rows.filter(({ alert, paths }) => !paths.some((path) => read(path).includes(`'${alert}'`)));
  expect(unsent).toEqual([]);

  const sent = sources
    .filter((path) => !path.startsWith('contract/'))
    .flatMap((path) =>
      all(/\b(?:alert: \{ code|alertCode): '([a-z_]+)'/g, read(path)).map((alert) => ({ path, alert })),
    );
  expect(sent.length).toBeGreaterThanOrEqual(10);
  const unlisted = sent.filter(
    ({ path, alert }) => !rows.some((row) => row.alert === alert && row.paths.includes(path)),
  );
  expect(unlisted).toEqual([]);
});

test('the devcontainer installs every Debian package that a test needs', () => {
  const needed = all(/apt-get install ([\w. -]+)\)/g, read('tools/test/needs.ts')).flatMap((names) =>
    names.split(' '),
  );
  expect(needed).toEqual(expect.arrayContaining(['maven', 'spin', 'pgbouncer']));
  const installed = read('.devcontainer/devcontainer.json');
  // Debian 12, the base of the image, packages only the full Chromium.
  expect(needed.filter((name) => !installed.includes(name.replace('-headless-shell', '')))).toEqual([]);
});

describe('docs/on-call.md and docs/operations.md', () => {
  test('explain every alert that the service sends', () => {
    const sent = [
      ...all(/\bcode: '([a-z_]+)', reference/g),
      ...all(/\balertCode: '([a-z_]+)'/g),
      ...all(/\balert\(\w+, \w+, '([a-z_]+)'/g),
    ];
    expect(sent).toEqual(
      expect.arrayContaining(['reconciliation_required', 'orphaned_charge', 'charge_unanswered']),
    );
    const explained = (alert: string) => onCall.includes(`### ${alert}\n`) || onCall.includes(`\`${alert}\``);
    expect(sent.filter((alert) => !explained(alert))).toEqual([]);
  });

  test('explain every message logged as an error', () => {
    const service = sources
      .filter((path) => !path.startsWith('sandbox/'))
      .map(read)
      .join('\n');
    const logged = all(/logger\.(?:error|fatal)\([^'`]*'([^']+)'/g, service);
    expect(logged.length).toBeGreaterThan(3);
    expect(logged.filter((message) => !operations.includes(message))).toEqual([]);
  });

  test('name every search attribute', () => {
    const attributes = all(/defineSearchAttributeKey\('(\w+)'/g);
    expect(attributes.length).toBeGreaterThanOrEqual(5);
    expect(attributes.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
  });

  test('name every update for operators', () => {
    const updates = all(/\bupdate<[^(]*>\(\)\(\s*'(\w+)'/g);
    const byMachines = [
      'pay',
      'completeChallenge',
      'methodUpdated',
      'scheduleChange',
      'changeNow',
      'cancelChange',
      'undoCancel',
      'pause',
      'resume',
      'moveTrial',
      'payInvoice',
      'advanceClock',
    ];
    expect(updates).toContain('resolve');
    expect(
      updates.filter((name) => !byMachines.includes(name) && !operations.includes(`\`${name}\``)),
    ).toEqual([]);
  });
});
