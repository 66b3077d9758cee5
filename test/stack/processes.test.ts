import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

const run = promisify(execFile);
const MODULE = join(PROJECT_DIR, 'sandbox/stack/process/processes.ts');

test('this process is listed with parent and command line from /proc, without ps', async () => {
  const script = `
    const { processes } = await import(process.argv[1]);
    const { pid, ppid, args } = processes().find((each) => each.pid === process.pid);
    console.log(JSON.stringify({ pid: pid === process.pid, ppid, args }));`;
  const env = { ...process.env, ...(existsSync('/proc/self/stat') && { PATH: '/nowhere' }) };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, MODULE, 'a b'], {
    env,
  });
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ pid: true, ppid: process.pid });
  expect(found.args.startsWith(`${process.execPath} --input-type=module -e`)).toBe(true);
  expect(found.args.endsWith(`${MODULE} a b`)).toBe(true);
});
