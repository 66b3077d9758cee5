/** Files written by a release (tools/release.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { VERSIONED, versionsIn, withDate, withVersion } from '../../tools/release/versions.ts';

const read = (file: string) => readFileSync(join(PROJECT_DIR, file), 'utf8');
const { version } = JSON.parse(read('package.json'));

test.each(VERSIONED)('%s shows the version of package.json', (file) => {
  const shown = versionsIn(file, read(file));
  expect(shown.length).toBeGreaterThan(0);
  expect(new Set(shown)).toEqual(new Set([version]));
  expect(new Set(versionsIn(file, withVersion(file, read(file), '9.10.0-rc.1')))).toEqual(
    new Set(['9.10.0-rc.1']),
  );
});

test('the version is in the changelog', () => {
  expect(read('CHANGELOG.md')).toContain(`\n## ${version} (`);
});

test('a file without the version, or a changelog without its heading, fails the release', () => {
  expect(() => withVersion('deploy/chart/Chart.yaml', 'name: chart', '1.0.0')).toThrow('shows no version');
  expect(() => withDate('# Changelog\n', '1.0.0', '2026-11-23')).toThrow('no heading 1.0.0');
  expect(withDate('# Changelog\n\n## 1.0.0\n', '1.0.0', '2026-11-23')).toContain('## 1.0.0 (2026-11-23)\n');
});
