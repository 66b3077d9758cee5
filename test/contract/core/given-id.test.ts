/** Ids in requests: workflows and PostgreSQL accept every id that a route accepts; otherwise clients would get 503. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Request } from 'express';
import fc from 'fast-check';
import { z } from 'zod';
import { pathId } from '../../../api/http/request/path-id.ts';
import { sql } from '../../../db/core/pool.ts';
import { id } from '../../../workflows/core/parse-message.ts';
import { routes } from '../../support/api/api-description.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

interface Field {
  readonly name: string;
  readonly schema: z.core.$ZodType;
}

const IS_ID = /ids?$|Ids?$|eference$/;
/** Fields that their routes treat as absent if they are empty. */
const ABSENT_IF_EMPTY = new Set(['target_plan_id', 'target_product_id', 'orderId', 'merchantReference']);

const fields = routes.flatMap(({ describe: { operationId, query, body } }) =>
  [query, body?.schema].flatMap((schema) =>
    textsOf(schema, '')
      .filter(({ name }) => IS_ID.test(name))
      .map((field) => [`${operationId} ${field.name}`, field] as const),
  ),
);

/** The strings within a schema, by the names of their fields. */
function textsOf(schema: z.core.$ZodType | undefined, name: string): readonly Field[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, inner]) => textsOf(inner, key));
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => textsOf(option, name));
  if (schema instanceof z.ZodArray) return textsOf(schema.element, name);
  if (schema instanceof z.ZodString) return [{ name, schema }];
  const inner = schema && (schema._zod.def as { readonly innerType?: z.core.$ZodType }).innerType;
  return inner ? textsOf(inner, name) : [];
}

const given = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    'ap_prod_1',
    'x'.repeat(200),
    '\u{1f600}'.repeat(200),
    'x'.repeat(2_001),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...'ap_sub01 \t\n\0\u00a0\u2028\ud800\udc00é'), maxLength: 20 }),
);

async function expectStored(ids: readonly string[]): Promise<void> {
  const stored = await database.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    select to_jsonb(id) #>> '{}' as id from unnest(${sql.array([...ids], 'text')}) with ordinality given (id, n) order by n`);
  expect(stored).toEqual(ids);
}

test('requests have fields for ids', () => {
  expect(fields.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'changePlan target_plan_id',
      'cancelSubscriptionChange action_id',
      'linkInvoice invoice_id',
    ]),
  );
});

test.each(fields)(
  'every id that a route accepts is one that a workflow and PostgreSQL accept: %s',
  async (_name, field) => {
    const accepted: string[] = [];
    fc.assert(
      fc.property(given, (value) => {
        const { success, data } = z.safeParse(field.schema, value);
        if (!success || (value === '' && ABSENT_IF_EMPTY.has(field.name))) return;
        expect(id(data, field.name)).toBe(data);
        accepted.push(String(data));
      }),
      { numRuns: 200 },
    );
    expect(accepted.length).toBeGreaterThan(0);
    await expectStored(accepted);
  },
);

test('every id in a path that a route accepts is one that a workflow and PostgreSQL accept', async () => {
  const accepted: string[] = [];
  const tail = fc.oneof(given, fc.string({ unit: fc.constantFrom(...'0123456789abcdefxyz'), maxLength: 80 }));
  fc.assert(
    fc.property(tail, (opaque) => {
      const route = { path: '/v1/subscriptions/:id' };
      const request = { params: { id: `ap_sub_${opaque}` }, route } as unknown as Request;
      const found = orNothing(() => pathId(request, 'id'));
      if (found === null) return;
      expect(id(found, 'id')).toBe(found);
      accepted.push(found);
    }),
    { numRuns: 1_000 },
  );
  expect(accepted.length).toBeGreaterThan(100);
  await expectStored(accepted);
});

function orNothing(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
