import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { harmlessMessage, withoutSecrets } from '../../../platform/observability/safe-error.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

/** Put into a row, a statement or a trigger's message; it must not be logged. */
const CANARY = 'canary-of-a-row';

let database: OpenTestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.pool.query(sql.unsafe`
    create table refusing (word text constraint known_words check (word not like 'canary%'), needed text not null)`);
  await database.pool.query(sql.unsafe`
    create function refuse_row() returns trigger language plpgsql as
    ${sql.literalValue(`begin raise exception 'refused: ${CANARY}'; end`)}`);
  await database.pool.query(sql.unsafe`
    create trigger refuse before update on refusing for each row execute function refuse_row()`);
});
afterAll(() => database?.close());

const insert = (word: string, needed: string | null) =>
  sql.type(z.object({ word: z.literal('another') }))`
    insert into refusing (word, needed) values (${word}, ${needed}) returning word`;

test.each([
  [
    'a CHECK',
    insert(CANARY, 'x'),
    { table: 'refusing', constraint: 'known_words', cause: { code: '23514' } },
  ],
  ['NOT NULL', insert('x', null), { table: 'refusing', column: 'needed', cause: { code: '23502' } }],
  ['a type', sql.unsafe`select ${CANARY}::int4`, { name: 'InvalidInputError' }],
  ['a schema', insert(`not ${CANARY}`, 'x'), { name: 'SchemaValidationError' }],
  ['a trigger', sql.unsafe`update refusing set word = ${CANARY}`, { name: 'DatabaseError', code: 'P0001' }],
])('a row rejected by %s is logged by its constraint, without its values', async (_what, query, told) => {
  const error = await database.pool.any(query).then(
    () => null,
    (refused: unknown) => refused,
  );
  const logged = withoutSecrets(error);
  expect(logged).toMatchObject(told);
  expect(logged.at).not.toEqual([]);
  expect(JSON.stringify(logged)).not.toContain('canary');
  expect(harmlessMessage(error)).toBeUndefined();
});

test('an error of our own code keeps its message, code and cause', () => {
  const error = Object.assign(new Error('no answer', { cause: new RangeError('too far') }), {
    code: 'EPIPE',
  });
  const at = expect.any(Array);
  expect(withoutSecrets(error)).toEqual({
    name: 'Error',
    code: 'EPIPE',
    message: 'no answer',
    at,
    cause: { name: 'RangeError', message: 'too far', at },
  });
  expect(harmlessMessage(error)).toBe('no answer');
});

test('an error from another realm, as thrown by a workflow, is recognised', () => {
  expect(withoutSecrets(runInNewContext(`new TypeError('t')`))).toMatchObject({
    name: 'TypeError',
    message: 't',
  });
});

test('a message line that looks like a stack frame is not reported as a source position', () => {
  class Quoting extends Error {}
  expect(withoutSecrets(new Quoting(`refused:\n    at ${CANARY}`)).at.join()).not.toContain(CANARY);
});

test('a value that is not an error is described by its type', () => {
  expect(withoutSecrets({ word: CANARY })).toEqual({ name: 'object', at: [] });
});
