/**
 * The checker of the fault harness finds planted faults in the records of a real run.
 * @reads test/faults/checker/fixtures
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { check } from './check.ts';
import { type Copy, found, PLANTED } from './planted.ts';
import { PLANTED_FAULTS } from './planted-code.ts';
import type { Records } from './records.ts';

const file = join(import.meta.dirname, 'fixtures/run.json');
const records = JSON.parse(readFileSync(file, 'utf8')) as Records;

test('the records of a sound run have no violation', () => {
  expect(check(records)).toEqual([]);
});

test.each(PLANTED)('finds %s', (_name, promise, damage) => {
  expect(found(records, damage)).toContain(promise);
});

test.each(PLANTED_FAULTS)('where $name can be planted in the code', ({ file, find }) => {
  expect(readFileSync(join(PROJECT_DIR, file), 'utf8').split(find)).toHaveLength(2);
});

test('an attempt is sent again where the rail was busy, or where a connection repeated the call', () => {
  const again = (copy: Copy) => {
    const call = copy.requests.find(({ operation }) => operation === 'authorize');
    if (!call) throw new Error('the records have no charge');
    const repeated = { ...call };
    copy.requests.push(repeated);
    return repeated;
  };
  expect(found(records, again)).toEqual(['no attempt is sent to the rail twice']);
  expect(found(records, (copy) => void Object.assign(again(copy), { busy: true }))).toEqual([]);
  const repeating = { kind: 'a connection repeats what it carries', what: '' };
  const during = (copy: Copy) => {
    const { at } = again(copy);
    copy.faults.push({ ...repeating, at, until: at });
  };
  expect(found(records, during)).toEqual([]);
});

test('a charge lost in a restore is excused only where the rail knows of none', () => {
  const lost = { target: '2000-01-01T00:00:00.000Z', at: '2100-01-01T00:00:00.000Z' };
  const forget = (copy: Parameters<Parameters<typeof found>[1]>[0], kept: boolean) => {
    copy.restores.push(lost);
    const moved = new Set(copy.ledger.map(({ reference }) => reference));
    const session = copy.sessions.find(({ payment_id }) => moved.has(payment_id ?? '') === kept);
    copy.sessions = copy.sessions.filter((each) => each !== session);
    if (kept) copy.payments = copy.payments.filter(({ id }) => id !== session?.payment_id);
  };
  expect(found(records, (copy) => forget(copy, false))).toEqual([]);
  expect(found(records, (copy) => forget(copy, true))).toContain('every charge is known');
});
