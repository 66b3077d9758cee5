/** The API tests' watch on responses detects invalid ones. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../contract/merchant/api-key.ts';
import { exampleRefund } from '../../contract/refund/refund.ts';
import { watchAnswers } from '../support/api/answer-watch.ts';
import { notSeen } from '../support/api/seen-answers.ts';

const exampleRefundAnswer = { ...exampleRefund, request_id: 'req_1' };
const HEADERS = {
  'content-type': 'application/json',
  'x-request-id': 'req_1',
  'service-version': '2026-01-01',
};

/** @returns the watch's verdict on one response */
async function verdictOn(
  { status = 200, body = exampleRefundAnswer as object, headers = HEADERS as Record<string, string> },
  { path = '/v1/refunds/ap_ref_1', logLines = [] as string[] } = {},
): Promise<string> {
  const answer: RequestListener = (_request, response) => {
    response.statusCode = status;
    response.setHeaders(new Map(Object.entries(headers))).end(JSON.stringify(body));
  };
  const server = createServer(answer);
  const watch = watchAnswers(server, logLines);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).text();
  server.close();
  try {
    watch.check();
    return 'fine';
  } catch (error) {
    return (error as Error).message;
  }
}

const refusal = (code: string) => ({ code, message: 'No.', request_id: 'req_1' });

test('a response that matches the description passes and counts as seen', async () => {
  expect(await verdictOn({})).toBe('fine');
  expect(await verdictOn({ status: 404, body: refusal('refund_not_found') })).toBe('fine');
  expect(notSeen(['showRefund 200', 'showRefund 404 refund_not_found'])).toEqual([]);
  expect(notSeen(['showRefund 401 api_key_invalid'])).toHaveLength(1);
});

test.each([
  ['an undescribed status', { status: 418 }, 'no such status'],
  [
    'a code of another route',
    { status: 404, body: refusal('order_not_found') },
    'the code order_not_found is not listed',
  ],
  [
    'an additional field',
    { body: { ...exampleRefundAnswer, credential_secret_ref: 'x' } },
    'additional properties',
  ],
  ['a missing field', { body: { ...exampleRefundAnswer, amount: undefined } }, "required property 'amount'"],
  ['a field of another type', { body: { ...exampleRefundAnswer, amount: '500' } }, '/amount must be integer'],
  [
    'an instant without milliseconds',
    { body: { ...exampleRefundAnswer, created_at: '2026-01-01T00:00:00Z' } },
    'pattern',
  ],
  ['a missing header', { headers: { 'content-type': 'application/json' } }, 'x-request-id is missing'],
  [
    'an API key',
    { body: { ...exampleRefundAnswer, reason: createApiKey('sandbox') } },
    'it shows an API key',
  ],
])('a response with %s is detected', async (_, answer, problem) => {
  expect(await verdictOn(answer)).toContain(problem);
});

test('an unknown route may answer only 404 with an error body', async () => {
  const path = '/v1/nothing';
  expect(await verdictOn({ status: 404, body: refusal('route_not_found') }, { path })).toBe('fine');
  expect(await verdictOn({}, { path })).toContain('no operation has this response');
});

test('a secret in the log is detected', async () => {
  const logLines = [`{"authorization":"Bearer ${createApiKey('production')}"}`];
  expect(await verdictOn({}, { logLines })).toContain('the log shows an API key');
});
