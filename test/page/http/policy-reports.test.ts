/** Browser reports about the page's policies, and the inventory of its scripts. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { ADDRESSES_A_DAY, countPolicyReport } from '../../../db/operations/policy-reports.ts';
import { integrityOf } from '../../../page/http/integrity.ts';
import { reportsIn } from '../../../page/http/routes/csp-reports.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { createSession } from '../core/fixtures.ts';
import { type ServedPage, servePage } from '../core/serve.ts';

let database: TestDatabase;
let served: ServedPage;

beforeAll(async () => {
  database = await createTestDatabase();
  served = await servePage({ databaseUrl: database.url });
});
afterEach(async () => {
  await served.pool.query(sql.unsafe`truncate policy_reports`);
  served.log.length = 0;
});
afterAll(async () => {
  await served.close();
  await database.drop();
});

const PAGE = 'https://pay.example/pay/ap_chk_canary';
let clients = 0;
/** An address per report, so that each comes from another client unless the test names one. */
const anotherClient = () => {
  clients += 1;
  return `192.0.2.${clients}`;
};
const post = (body: unknown, type: string, client = anotherClient()) =>
  fetch(`${served.url}/pay/csp-reports`, {
    method: 'POST',
    headers: { 'content-type': type, 'x-forwarded-for': client },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const byUri = (blocked: string, document = PAGE, client?: string) =>
  post(
    {
      'csp-report': {
        'document-uri': document,
        'effective-directive': 'script-src-elem',
        'blocked-uri': blocked,
      },
    },
    'application/csp-report',
    client,
  );
const byTo = (...blocked: string[]) => byToFrom(undefined, ...blocked);
const byToFrom = (client: string | undefined, ...blocked: string[]) =>
  post(
    blocked.map((blockedURL) => ({
      type: 'csp-violation',
      url: PAGE,
      body: { documentURL: PAGE, effectiveDirective: 'script-src-elem', blockedURL },
    })),
    'application/reports+json',
    client,
  );
const row = z.object({ document: z.string(), directive: z.string(), blocked: z.string(), count: z.number() });
const counted = () =>
  served.pool.any(sql.type(row)`
    select document, directive, blocked, count from policy_reports order by document, blocked`);
const alerts = () => served.log.filter((line) => line.includes('content security policy violated'));

test('report-uri and report-to reports are counted by kind, without the address of the page or of the buyer', async () => {
  const evil = 'https://evil.example/skim.js?card=canary';
  expect((await byUri(evil)).status).toBe(204);
  expect((await byTo(evil, 'inline')).status).toBe(204);
  const kind = { document: 'page', directive: 'script-src-elem' };
  expect(await counted()).toEqual([
    { ...kind, blocked: 'https://evil.example', count: 2 },
    { ...kind, blocked: 'inline', count: 1 },
  ]);
  expect(served.log.join()).not.toContain('canary');
});

test('the first report of a kind on a day is logged as an error, and further reports are only counted', async () => {
  for (let times = 0; times < 3; times += 1) await byUri('https://evil.example/skim.js');
  expect(alerts()).toEqual([expect.stringContaining('https://evil.example')]);
  await byUri('https://worse.example/skim.js');
  expect(alerts()).toHaveLength(2);
});

test('a violation by a browser extension is counted without an alert', async () => {
  await byUri('chrome-extension://abcdef/inject.js');
  await byUri('moz-extension');
  expect((await counted()).map(({ count }) => count)).toEqual([1, 1]);
  expect(alerts()).toEqual([]);
});

test.each([
  ['https://pay.example/pay/ap_chk_1/challenge', 'challenge'],
  ['https://fields.example/rails/stripe/ap_rac_1/fields?lang=de', 'fields'],
  ['about:blank', 'other'],
])('a report about %s counts for the document %s', async (url, document) => {
  await byUri('inline', url);
  expect(await counted()).toMatchObject([{ document }]);
});

describe('malformed and forged reports:', () => {
  test.each([
    ['an empty object', {}],
    ['another kind of report', [{ type: 'deprecation', body: {} }]],
    ['fields of other types', { 'csp-report': { 'document-uri': 1 } }],
  ])('%s is dropped', async (_what, body) => {
    expect((await post(body, 'application/reports+json')).status).toBe(204);
    expect(await counted()).toEqual([]);
  });

  test('a body that is too large or not JSON is rejected', async () => {
    expect((await post(`"${'x'.repeat(30_000)}"`, 'application/csp-report')).status).toBe(413);
    expect((await post('{', 'application/csp-report')).status).toBe(400);
  });

  test('addresses beyond the daily limit count as "other"; another directive is not affected', async () => {
    const report = { document: 'page', directive: 'style-src' };
    for (let n = 0; n < ADDRESSES_A_DAY + 5; n += 1) {
      await countPolicyReport(served.pool, { ...report, blocked: `https://${n}.example` });
    }
    expect(await counted()).toHaveLength(ADDRESSES_A_DAY + 1);
    expect(await counted()).toContainEqual({ ...report, blocked: 'other', count: 5 });
    const skimmer = { document: 'page', directive: 'script-src-elem', blocked: 'https://evil.example' };
    expect(await countPolicyReport(served.pool, skimmer)).toEqual({ kind: skimmer, first: true });
  });

  test('only one address per client and day is named, so that forged addresses do not displace a skimmer’s', async () => {
    const forger = '203.0.113.1';
    await byToFrom(forger, ...Array.from({ length: ADDRESSES_A_DAY }, (_, n) => `https://${n}.example`));
    await byToFrom(forger, 'https://more.example');
    const kind = { document: 'page', directive: 'script-src-elem' };
    expect(await counted()).toEqual([
      { ...kind, blocked: 'https://0.example', count: 1 },
      { ...kind, blocked: 'other', count: ADDRESSES_A_DAY },
    ]);
    await byUri('https://evil.example/skim.js');
    await byUri('https://evil.example/skim.js', PAGE, forger);
    expect(await counted()).toContainEqual({ ...kind, blocked: 'https://evil.example', count: 2 });
    expect(alerts()).toContainEqual(expect.stringContaining('https://evil.example'));
  });

  test('a made-up directive counts as "other"', () => {
    const report = { 'document-uri': 'x', 'effective-directive': 'made-up-src', 'blocked-uri': 'inline' };
    expect(reportsIn({ 'csp-report': report })[0]?.directive).toBe('other');
  });

  test('an address that sends more than thirty reports a minute is limited', async () => {
    const statuses = [];
    for (let times = 0; times < 40; times += 1)
      statuses.push((await byUri('inline', PAGE, '198.51.100.1')).status);
    expect(statuses).toContain(429);
    expect((await counted())[0]?.count ?? 0).toBeLessThanOrEqual(30);
  });
});

test('every script that a document runs is in the inventory with its hash', async () => {
  const program = join(PROJECT_DIR, 'tools/page-scripts.ts');
  const { stdout: inventory } = await promisify(execFile)(process.execPath, [program]);
  const { pageToken } = await createSession(served.pool);
  for (const path of [pageToken, `${pageToken}/challenge/return`]) {
    const html = await (await fetch(`${served.url}/pay/${path}`)).text();
    const scripts = [...html.matchAll(/<script(?! type="application\/json")([^>]*)>(.*?)<\/script>/gs)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes = '', inline = ''] of scripts) {
      const src = / src="([^"]+)"/.exec(attributes)?.[1];
      const text = src ? await (await fetch(served.url + src)).text() : inline;
      expect(inventory).toContain(integrityOf(text));
      if (src) expect(attributes).toContain(`integrity="${integrityOf(text)}"`);
    }
  }
});
