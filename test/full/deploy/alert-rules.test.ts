/**
 * The alert rules, checked by Prometheus' own program, which creates a database on disk for each of them.
 * @needs promtool
 * @reads deploy/observability
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { OBSERVABILITY_DIR } from '../../support/tool/observability-files.ts';

const promtool = (cwd: string, ...args: string[]) => promisify(execFile)('promtool', args, { cwd });

test('Prometheus accepts its configuration and the rules', async () => {
  const { stdout } = await promtool(OBSERVABILITY_DIR, 'check', 'config', 'prometheus.yaml');
  expect(stdout).toContain('rules found');
});

test('each rule fires and clears', async () => {
  const { stdout } = await promtool(OBSERVABILITY_DIR, 'test', 'rules', 'alerts.test.yaml');
  expect(stdout).toContain('SUCCESS');
}, 300_000);

test('the test detects a rule that no longer fires', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'checkout-rules-'));
  const inCopy = (name: string) => join(copy, name);
  try {
    await cp(OBSERVABILITY_DIR, copy, { recursive: true });
    const rules = await readFile(inCopy('alerts.yaml'), 'utf8');
    const broken = rules.replace('max(checkout_sweep_age_seconds) > 300', 'vector(1) > 300');
    expect(broken).not.toBe(rules);
    await writeFile(inCopy('alerts.yaml'), broken);
    const file = parse(await readFile(inCopy('alerts.test.yaml'), 'utf8'));
    const tests = file.tests.filter(({ name }: { name: string }) => name === 'CheckoutSweepLate');
    await writeFile(inCopy('alerts.test.yaml'), stringify({ ...file, tests }));
    const failed = await promtool(copy, 'test', 'rules', 'alerts.test.yaml').catch(
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );
    expect(failed).toContain('alertname: CheckoutSweepLate');
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});
