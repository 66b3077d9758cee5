/** @reads docs deploy/observability */

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { documentPage } from '../../../sandbox/observe/document.ts';
import { startObserve } from '../../../sandbox/observe/server.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { alertRules } from '../../support/tool/observability-files.ts';

let page: Awaited<ReturnType<typeof startObserve>> | undefined;
afterEach(() => page?.close());

async function start(prometheusUrl?: string): Promise<string> {
  const port = await freePort();
  page = await startObserve({ port, prometheusUrl });
  return `http://127.0.0.1:${port}`;
}

function exported(traceId: string, name: string, at: number, status = 0) {
  const time = (ms: number) => `${BigInt(ms) * 1_000_000n}`;
  const attributes = [{ key: 'checkout.flow.id', value: { stringValue: 'ap_chk_1' } }];
  const span = {
    traceId,
    spanId: name,
    name,
    startTimeUnixNano: time(at),
    endTimeUnixNano: time(at + 5),
    attributes,
  };
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'api' } }] };
  return { resourceSpans: [{ resource, scopeSpans: [{ spans: [{ ...span, status: { code: status } }] }] }] };
}

test('the latest traces are listed first, and the spans of each in order', async () => {
  const url = await start();
  const send = (body: object) => fetch(`${url}/v1/traces`, { method: 'POST', body: JSON.stringify(body) });
  await send(exported('one', 'second', 2_000, 2));
  await send(exported('two', 'other', 1_500));
  await send(exported('one', 'first', 1_000));
  const traces = await (await fetch(`${url}/traces`)).json();
  expect(traces).toMatchObject([
    {
      traceId: 'one',
      spans: [
        { name: 'first', service: 'api', failed: false, attributes: { 'checkout.flow.id': 'ap_chk_1' } },
        { name: 'second', startMs: 2_000, endMs: 2_005, failed: true },
      ],
    },
    { traceId: 'two' },
  ]);
});

test('only the last hundred traces are kept', async () => {
  const url = await start();
  for (let n = 0; n < 103; n += 1)
    await fetch(`${url}/v1/traces`, { method: 'POST', body: JSON.stringify(exported(`trace-${n}`, 'x', n)) });
  const traces = await (await fetch(`${url}/traces`)).json();
  expect(traces).toHaveLength(100);
  expect(traces[0].traceId).toBe('trace-102');
});

test('queries are passed to Prometheus, or get an error without it', async () => {
  const prometheus = createServer((request, response) =>
    response.end(JSON.stringify({ asked: request.url })),
  );
  prometheus.listen(0, '127.0.0.1');
  await once(prometheus, 'listening');
  const url = await start(`http://127.0.0.1:${(prometheus.address() as AddressInfo).port}`);
  expect(await (await fetch(`${url}/api/v1/query?query=up`)).json()).toEqual({
    asked: '/api/v1/query?query=up',
  });
  prometheus.close().closeAllConnections();
  await page?.close();
  const without = await start();
  expect((await fetch(`${without}/api/v1/query?query=up`)).status).toBe(404);
});

test('a dashboard file that does not parse is named, and the other files are still shown', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'checkout-dashboards-'));
  await writeFile(join(dir, 'grafana-business.json'), '{ "panels": [');
  await writeFile(join(dir, 'grafana-operations.json'), '{ "panels": [] }');
  const port = await freePort();
  page = await startObserve({ port, prometheusUrl: undefined, dashboards: pathToFileURL(`${dir}/`) });
  const answer = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, await response.json()];
  };
  expect(await answer('/business.json')).toEqual([
    500,
    { error: expect.stringContaining('grafana-business.json cannot be read: ') },
  ]);
  expect(await answer('/operations.json')).toEqual([200, { panels: [] }]);
  expect(await answer('/traces')).toEqual([200, []]);
  await rm(dir, { recursive: true });
});

test('the page shows the runbook with a section for each alert', async () => {
  const runbook = await (await fetch(`${await start()}/docs/on-call.md`)).text();
  const anchors = alertRules().map(({ annotations }) => annotations.runbook_url?.split('#')[1]);
  for (const anchor of anchors.filter((each) => !each?.startsWith('{{')))
    expect(runbook).toContain(`id="${anchor}"`);
});

test('links in the runbook lead from section to section', async () => {
  const runbook = await (await fetch(`${await start()}/docs/on-call.md`)).text();
  const targets = [...runbook.matchAll(/<a href="#([^"]+)">/g)].map(([, anchor]) => anchor);
  expect(targets.length).toBeGreaterThan(10);
  for (const anchor of targets) expect(runbook).toContain(`id="${anchor}"`);
});

test('links from the runbook to other documents open them, with their pictures', async () => {
  const url = await start();
  const runbook = await (await fetch(`${url}/docs/on-call.md`)).text();
  const documents = [...runbook.matchAll(/<a href="([^"#:]+\.md)[^"]*">/g)].map(([, path]) => path);
  expect(documents).toEqual(expect.arrayContaining(['operations.md', 'restores.md']));
  for (const path of documents) expect((await fetch(`${url}/docs/${path}`)).status).toBe(200);
  const pictured = await (await fetch(`${url}/docs/dashboard.md`)).text();
  const [, picture] = /<img src="([^"]+)"/.exec(pictured) ?? [];
  const answer = await fetch(new URL(picture ?? '', `${url}/docs/`));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect((await fetch(new URL('missing.md', `${url}/docs/`))).status).toBe(404);
});

test('a document is shown as headings, tables, lists and code, not as Markdown', () => {
  const page = documentPage(
    [
      '# A title',
      '_page, at once._ See [`a_kind`](#a-kind), **never** `a_b_c` <now>.',
      '| Row | What |',
      '| --- | ---- |',
      '| `a`  | won\\|lost |',
      '1. one',
      '2. two',
      '',
      '```',
      '# no heading',
      '```',
      '3. three, [elsewhere](../sandbox/README.md)',
    ].join('\n'),
  );
  for (const part of [
    '<h1 id="a-title">A title</h1>',
    '<em>page, at once.</em> See <a href="#a-kind"><code>a_kind</code></a>, <strong>never</strong> <code>a_b_c</code> &lt;now>.',
    '<tr><th>Row</th><th>What</th></tr><tr><td><code>a</code></td><td>won|lost</td></tr>',
    '<ol start="1"><li>one</li><li>two</li></ol>',
    '<pre># no heading</pre>',
    '<ol start="3"><li>three, elsewhere</li></ol>',
  ])
    expect(page).toContain(part);
});
