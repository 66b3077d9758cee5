/**
 * Runs the access guide of docs/subscriptions.md against a server that has the current state.
 * @reads docs packages
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { read } from './documents.ts';

const CLIENT = pathToFileURL(join(PROJECT_DIR, 'packages/node/src/index.ts')).href;
const [, PROGRAM = ''] =
  /## Grant access to a subscriber[\s\S]*?```js\n([\s\S]*?)```/.exec(read('docs/subscriptions.md')) ?? [];

/** Prints each status that the server has and whether it grants access, then the same for two subscriptions of a customer. */
const VISITS = `
import { createServer } from 'node:http';
let status;
const server = createServer((request, response) => {
  console.log(request.url);
  response.end(JSON.stringify({ id: request.url.split('/').at(-1), status }));
}).listen(0, '127.0.0.1', async () => {
  process.env.HOSTED_CHECKOUT_URL = 'http://127.0.0.1:' + server.address().port;
  process.env.HOSTED_CHECKOUT_API_KEY = 'ap_test_1';
  const { mayUse, onEvent } = await import('./access.mjs');
  const event = { merchant_id: 'ap_mer_1', customer: { external_customer_id: 'ada' }, subscription: { id: 'ap_sub_1', status: 'active' } };
  console.log('nobody', mayUse('ada'));
  for (status of ['trialing', 'active', 'past_due', 'paused', 'cancelled', 'expired', 'incomplete']) {
    await onEvent(event);
    console.log(status, mayUse('ada'));
  }
  await onEvent({ ...event, subscription: null });
  for (const [id, now] of [['ap_sub_2', 'active'], ['ap_sub_1', 'cancelled'], ['ap_sub_2', 'cancelled']]) {
    status = now;
    await onEvent({ ...event, subscription: { id } });
    console.log(id, status, mayUse('ada'));
  }
  server.close();
});
`;

test('the documented program fetches each subscription’s current state, and grants access while any of the customer’s grants it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'access-'));
  try {
    await writeFile(join(dir, 'access.mjs'), PROGRAM.replace("'hosted-checkout'", `'${CLIENT}'`));
    await writeFile(join(dir, 'visits.mjs'), VISITS);
    const { stdout } = await promisify(execFile)(process.execPath, ['visits.mjs'], { cwd: dir });
    const lines = stdout.trim().split('\n');
    const asked = lines.filter((line) => line === '/v1/merchants/ap_mer_1/subscriptions/ap_sub_1');
    expect(asked).toHaveLength(8);
    expect(lines.filter((line) => !line.startsWith('/'))).toEqual([
      'nobody false',
      'trialing true',
      'active true',
      'past_due true',
      'paused false',
      'cancelled false',
      'expired false',
      'incomplete false',
      'ap_sub_2 active true',
      'ap_sub_1 cancelled true',
      'ap_sub_2 cancelled false',
    ]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
