/** Untrusted text in a terminal, such as buyers' names, merchants' addresses and server responses. */
import { spawnSync } from 'node:child_process';
import { afterEach, expect, jest, test } from '@jest/globals';
import { plain, printPlainly } from '../../../contract/core/plain-output.ts';

afterEach(() => void jest.restoreAllMocks());

test.each([
  ['an escape sequence that sets the title', '\u001b]0;paid\u0007', '\\u001b]0;paid\\u0007'],
  ['a C1 control sequence that sets the clipboard', '\u009d52;c;cm0=\u009c', '\\u009d52;c;cm0=\\u009c'],
  ['a carriage return that overwrites the line', 'failed\rpaid  ', 'failed\\u000dpaid  '],
  ['a character that reverses text', 'fdp.\u202eexe', 'fdp.\\u202eexe'],
  ['ordinary line breaks, tabs and names unchanged', 'Öz\tÅsa\n日本', 'Öz\tÅsa\n日本'],
])('a terminal prints %s', (_what, text, shown) => {
  expect(plain(text)).toBe(shown);
});

test('all printed output is escaped, and JSON stays valid', () => {
  const printed = [jest.spyOn(console, 'log'), jest.spyOn(console, 'error')] as const;
  for (const print of printed) print.mockImplementation(() => {});
  const [log, error] = [console.log, console.error];
  try {
    printPlainly();
    const value = { name: 'A\u001b[2J\u009b2J' };
    console.log(JSON.stringify(value));
    console.error(value.name);
    const [json] = printed[0].mock.calls[0] as [string];
    expect(json).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(json)).toEqual(value);
    expect(printed[1]).toHaveBeenCalledWith('A\\u001b[2J\\u009b2J');
  } finally {
    Object.assign(console, { log, error });
  }
});

test.each([
  'bin/start.ts',
  'bin/buyer.ts',
  'bin/ops.ts',
  'bin/prepare-temporal.ts',
  'packages/node/cli/main.ts',
  'packages/create-shop/create.mjs',
])('%s escapes what it prints', (program) => {
  const { stdout, stderr } = spawnSync(process.execPath, [program, '--\u001b]0;paid\u0007'], {
    encoding: 'utf8',
  });
  expect(stdout + stderr).toContain('--\\u001b]0;paid\\u0007');
  expect(stdout + stderr).not.toContain('\u001b]0;');
});
