import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { openTemporal } from '../../platform/temporal/client.ts';
import { BARE_ENV } from '../support/stack/process.ts';

const run = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  promisify(execFile)(process.execPath, ['bin/prepare-temporal.ts', ...args], {
    env: { ...BARE_ENV, ...env },
  });

test('the first run creates namespace, search attributes and Schedules; a second run changes nothing', async () => {
  const address = process.env.TEST_TEMPORAL_ADDRESS ?? '';
  const namespace = `test-${randomBytes(8).toString('hex')}`;
  const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
  expect((await run(env)).stdout).toContain(`Namespace ${namespace}: created.`);
  const client = openTemporal({ address, namespace });
  try {
    const { customAttributes } = await client.connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes ?? {})).toEqual(
      expect.arrayContaining([
        'MerchantId',
        'Environment',
        'LifecycleState',
        'NeedsOperator',
        'NextActionAt',
      ]),
    );
    const sweep = await client.schedule.getHandle('sweep').describe();
    expect((await run(env)).stdout).toContain(`Namespace ${namespace}: exists.`);
    const again = await client.schedule.getHandle('sweep').describe();
    expect(again.info.createdAt).toEqual(sweep.info.createdAt);
  } finally {
    await client.connection.close();
  }
});

test('an unreachable address is named in the error', async () => {
  const failed = await run({ TEMPORAL_ADDRESS: '127.0.0.1:1' }).catch((error) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('Temporal at 127.0.0.1:1: ') });
});

test.each([
  [['--retention-days', 'soon'], '--retention-days must be a whole number from 1 to 36500.'],
  [['--retention-days', '0'], '--retention-days must be a whole number from 1 to 36500.'],
  [['--retention-days'], "Option '--retention-days <value>' argument missing"],
  [['--retention', '30'], "Unknown option '--retention'"],
  [['30'], 'Unexpected arguments: 30.'],
])(
  'the arguments %j are refused before any connection',
  async (args, words) => {
    const failed = await run({ TEMPORAL_ADDRESS: '127.0.0.1:1' }, ...args).catch((error) => error);
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(failed.stderr).toContain('Usage: ');
  },
  60_000,
);
