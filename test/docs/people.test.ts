/** docs/people.md agrees with `domain/core/permissions.ts`. */
import { expect, test } from '@jest/globals';
import { PERMISSIONS, ROLES } from '../../domain/core/permissions.ts';
import { demoMerchants } from '../../sandbox/stack/demo/demo-merchants.ts';
import { devAccounts } from '../../sandbox/stack/demo/dev-accounts.ts';
import { read } from './documents.ts';

const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

test('docs/people.md lists every permission with its roles', () => {
  const lines = read('docs/people.md').split('\n');
  const head = lines.findIndex((line) => line.startsWith('| Permission'));
  const roles = cells(lines[head] ?? '').slice(2);
  expect(roles).toEqual([...ROLES]);
  const end = lines.indexOf('', head);
  const told = lines.slice(head + 2, end).map((line) => {
    const [name = '', , ...held] = cells(line);
    return [name.replaceAll('`', ''), roles.filter((_role, index) => held[index] === 'yes')];
  });
  expect(Object.fromEntries(told)).toEqual(PERMISSIONS);
});

test('sandbox/identity/README.md lists the accounts that npm start creates', () => {
  const readme = read('sandbox/identity/README.md');
  const accounts = devAccounts(demoMerchants((_name, make) => make()));
  expect(accounts.length).toBeGreaterThan(3);
  for (const { id, role } of accounts) expect(readme).toMatch(new RegExp(`\`${id}\` *\\| \`${role}\``));
});
