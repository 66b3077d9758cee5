/** @reads bin/check-columns.ts */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

/** What the check reports about a project with these files. */
function reported(files: Readonly<Record<string, string>>): readonly string[] {
  const dir = mkdtempSync(join(tmpdir(), 'columns-'));
  try {
    for (const [file, source] of Object.entries(files)) {
      mkdirSync(join(dir, dirname(file)), { recursive: true });
      writeFileSync(join(dir, file), source);
    }
    const check = join(PROJECT_DIR, 'bin/check-columns.ts');
    const { status, stderr } = spawnSync(process.execPath, [check, dir], { encoding: 'utf8' });
    const lines = stderr.split('\n').filter((line) => line !== '');
    expect(status).toBe(lines.length > 0 ? 1 : 0);
    return lines.map((line) => line.split(': CONTRIBUTING')[0] ?? '');
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test('a row with a column and an alias is reported', () => {
  const lines = reported({
    'db/order/orders.ts':
      'const row = z.object({\n  id: z.string(),\n  order_no: z.number(),\n  paidAt: z.string(),\n});',
    'db/order/totals.ts':
      '/** a_b */\nconst rows = await db.any(sql.type(z.object({ merchant_id: z.string(), totalCents: z.number() }))``);',
  });
  expect(lines).toEqual([
    'db/order/orders.ts:1: one row has order_no and paidAt',
    'db/order/totals.ts:2: one row has merchant_id and totalCents',
  ]);
});

test('columns that a row extends or spreads count, also from another file', () => {
  const lines = reported({
    'db/order/account.ts': 'export const accountRow = { id: z.string(), rail_name: z.string() };',
    'db/order/order.ts': 'const order = z.object({ ...accountRow, paidAt: z.string() });',
    'db/order/late.ts':
      'const order = z.object({ orderId: z.string() });\nconst late = order.extend({ due_at: z.string() });',
  });
  expect(lines).toEqual([
    'db/order/late.ts:2: one row has due_at and orderId',
    'db/order/order.ts:1: one row has rail_name and paidAt',
  ]);
});

test('rows in one spelling, an object inside a column, and an object that is not a row are not reported', () => {
  const lines = reported({
    'db/order/orders.ts': [
      'const columns = z.object({ merchant_id: z.string(), items: z.array(z.object({ unitCents: z.number() })) });',
      'const answer = z.object({ merchantId: z.string(), environment: z.enum(ENVIRONMENTS) });',
      'const audit = { subject_id: id, subjectKind: kind };',
    ].join('\n'),
    'contract/order/order.ts': 'const order = z.object({ merchant_id: z.string(), successUrl: z.string() });',
  });
  expect(lines).toEqual([]);
});
