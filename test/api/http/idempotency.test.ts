/** Idempotency-Key over two servers and one database, on a route that counts its effects. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express, { type Request } from 'express';
import { pino } from 'pino';
import { z } from 'zod';
import { ApiError, answerErrors } from '../../../api/http/errors.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../../../api/http/idempotency.ts';
import { readJsonBody } from '../../../api/http/request/json-body.ts';
import { logRequests } from '../../../api/http/request-log.ts';
import { deleteOldKeys } from '../../../db/core/delete-old-rows.ts';
import { claimKey, pinAnswer } from '../../../db/core/idempotency.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { expectRefusal } from '../../support/api/api.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';

let database: TestDatabase;
let pools: Pool[];
let servers: Server[];
/** The operation behind the route, set by each test. */
let operation: Operation;
/** Runs before the body is read, as authentication does. */
let beforeBody: (request: Request) => Promise<unknown> = async () => {};

const logger = pino({ level: 'silent' });

beforeAll(async () => {
  database = await createTestDatabase();
  pools = await Promise.all([0, 1].map(() => openPool({ url: database.url })));
  await pools[0]?.query(
    sql.unsafe`create table effects (operation_id text primary key, times integer default 1)`,
  );
  servers = await Promise.all(pools.map(listen));
});
afterAll(async () => {
  for (const server of servers ?? []) server.close();
  await Promise.all((pools ?? []).map((pool) => pool.end()));
  await database?.drop();
});

async function listen(pool: Pool): Promise<Server> {
  const app = express();
  app.use(logRequests(logger));
  app.use((request, _response, next) => void beforeBody(request).then(() => next()));
  const handle = idempotent({ pool, scopeOf: () => 'merchant:ap_mer_1:sandbox' }, (...given) =>
    operation(...given),
  );
  app.post('/required', takeIdempotencyKey({ required: true }), readJsonBody, handle);
  app.post('/optional', takeIdempotencyKey({ required: false }), readJsonBody, handle);
  app.use(answerErrors(logger));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface Sent {
  readonly key?: string;
  readonly body?: unknown;
  readonly path?: string;
  readonly server?: number;
}

async function post({ key, body = {}, path = '/required', server = 0 }: Sent) {
  const { port } = (servers[server] as Server).address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

test('a key on two header lines is rejected, because joined they would be a different key', async () => {
  const { port } = (servers[0] as Server).address() as AddressInfo;
  const headers = { 'Idempotency-Key': ['twice', 'twice'] };
  const sent = send({ host: '127.0.0.1', port, path: '/optional', method: 'POST', headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  expect([answer.statusCode, await json(answer)]).toMatchObject([400, { code: 'idempotency_key_invalid' }]);
});

/** Resends, as clients do, while the server answers that an equal request is still in progress. */
const postUntilAnswered = (sent: Sent) =>
  eventually(async () => {
    const answer = await post(sent);
    expect(answer.body.code).not.toBe('idempotency_key_in_progress');
    return answer;
  }, 45_000);

/** Counts an effect in the database, idempotently by operation id like real operations. */
const takeEffect = async (operationId: string | null) => {
  await pools[0]?.query(sql.unsafe`
    insert into effects (operation_id) values (${operationId ?? 'none'})
    on conflict (operation_id) do update set times = effects.times + 1`);
};
const effects = async () =>
  (await pools[0]?.any(sql.type(z.object({ operation_id: z.string(), times: z.number() }))`
    select operation_id, times from effects`)) ?? [];
const succeed: Operation = async (_request, _response, operationId) => {
  await takeEffect(operationId);
  return { status: 201, body: { zebra: 1, id: operationId, amount: 1_900 }, flowId: 'ap_ref_1' };
};
const refuse = (error: ApiError) => {
  operation = async (_request, _response, operationId) => {
    await takeEffect(operationId);
    throw error;
  };
};

test('a repeated request has no second effect and replays the first response unchanged', async () => {
  operation = succeed;
  const first = await post({ key: 'k-repeat', body: { a: 1, b: [1, { c: null, d: 2 }] } });
  const second = await post({ key: 'k-repeat', body: { b: [1.0, { d: 2, c: null }], a: 1 }, server: 1 });
  expect(first.status).toBe(201);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(second).toMatchObject({ status: 201, text: first.text });
  for (const name of ['x-request-id', 'x-service-flow-id']) {
    expect(second.headers.get(name)).toBe(first.headers.get(name));
  }
  expect(second.headers.get('x-request-id')).toBe(first.body.request_id);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect((await effects()).filter(({ operation_id }) => operation_id === first.body.id)).toEqual([
    { operation_id: first.body.id, times: 1 },
  ]);
});

test('fifty concurrent equal requests over two servers have one effect and get equal bodies', async () => {
  const before = (await effects()).length;
  operation = async (...given) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return succeed(...given);
  };
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      postUntilAnswered({ key: 'k-fifty', body: { amount: 1 }, server: index % 2 }),
    ),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
  expect((await effects()).length - before).toBe(1);
});

describe('400', () => {
  test('idempotency_key_required: no key', async () => {
    expectRefusal(await post({}), 400, 'idempotency_key_required');
  });

  test.each(['', 'x'.repeat(256), 'schlüssel', 'tab\there'])('idempotency_key_invalid: %j', async (key) => {
    expectRefusal(await post({ key }), 400, 'idempotency_key_invalid');
  });

  test('invalid_request: a body that is nested too deeply', async () => {
    let body: unknown = {};
    for (let depth = 0; depth < 2_000; depth++) body = { a: body };
    expectRefusal(await post({ key: 'k-deep', body }), 400, 'invalid_request');
  });
});

test('a client that disconnects before its body is read can retry with the same key', async () => {
  const bodies: unknown[] = [];
  operation = async ({ body }) => {
    bodies.push(body);
    return { status: 201, body: {} };
  };
  const waiting = Promise.withResolvers<void>();
  const handled = Promise.withResolvers<void>();
  beforeBody = async ({ socket, res }) => {
    res?.once('close', () => setImmediate(handled.resolve));
    waiting.resolve();
    await once(socket, 'close');
  };
  const { port } = (servers[0] as Server).address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const sent = '{"amount":900}';
  socket.write(
    `POST /required HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nidempotency-key: left\r\ncontent-length: ${sent.length}\r\n\r\n${sent}`,
  );
  await waiting.promise;
  socket.destroy();
  await handled.promise;
  beforeBody = async () => {};
  const { status } = await post({ key: 'left', body: { amount: 900 } });
  expect(status).toBe(201);
  expect(bodies).toEqual([{ amount: 900 }]);
});

test('a key of 255 characters is accepted', async () => {
  operation = succeed;
  expect((await post({ key: '~'.repeat(255) })).status).toBe(201);
});

test('without an optional key, repeated requests all take effect', async () => {
  operation = succeed;
  const answers = [await post({ path: '/optional' }), await post({ path: '/optional' })];
  expect(answers.map(({ status, body }) => [status, body.id])).toEqual([
    [201, null],
    [201, null],
  ]);
  expect((await effects()).find(({ operation_id }) => operation_id === 'none')?.times).toBe(2);
});

describe('409 idempotency_key_conflict', () => {
  test('another body', async () => {
    operation = succeed;
    await post({ key: 'k-conflict', body: { amount: 1 } });
    expectRefusal(await post({ key: 'k-conflict', body: { amount: 2 } }), 409, 'idempotency_key_conflict');
  });

  test('another path', async () => {
    expectRefusal(
      await post({ key: 'k-conflict', body: { amount: 1 }, path: '/optional' }),
      409,
      'idempotency_key_conflict',
    );
  });

  test('another body, even if the first response was not pinned', async () => {
    refuse(new ApiError('dependency_unavailable'));
    await post({ key: 'k-unkept', body: { amount: 1 } });
    expectRefusal(await post({ key: 'k-unkept', body: { amount: 2 } }), 409, 'idempotency_key_conflict');
  });
});

test('409 idempotency_key_in_progress: the first request is still running after the wait', async () => {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  operation = async (...given) => {
    begun.resolve();
    await held.promise;
    return succeed(...given);
  };
  const first = post({ key: 'k-running' });
  await begun.promise;
  const second = await post({ key: 'k-running', server: 1 });
  expectRefusal(second, 409, 'idempotency_key_in_progress');
  held.resolve();
  expect((await first).status).toBe(201);
  expect(await post({ key: 'k-running', server: 1 })).toMatchObject({
    status: 201,
    text: (await first).text,
  });
});

describe('pinning', () => {
  test.each([
    ['invalid_request', 400],
    ['product_not_found', 404],
    ['recurring_price_interval_missing', 422],
  ] as const)('%s is pinned: replayed without a second run', async (code, status) => {
    refuse(new ApiError(code));
    const first = await post({ key: `k-${code}` });
    operation = succeed;
    const second = await post({ key: `k-${code}` });
    expectRefusal(second, status, code);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test.each([
    ['service_api_key_required', 401],
    ['request_timeout', 408],
    ['payment_rail_activation_in_progress', 409],
    ['internal_error', 500],
    ['dependency_unavailable', 503],
  ] as const)('%s is not pinned: a retry resumes the operation', async (code, status) => {
    const operationIds: (string | null)[] = [];
    operation = async (_request, _response, operationId) => {
      operationIds.push(operationId);
      throw new ApiError(code);
    };
    expectRefusal(await post({ key: `k-${code}` }), status, code);
    operation = async (...given) => {
      operationIds.push(given[2]);
      return succeed(...given);
    };
    expect((await post({ key: `k-${code}`, server: 1 })).status).toBe(201);
    expect(operationIds[0]).toMatch(/^op_/);
    expect(operationIds[1]).toBe(operationIds[0]);
  });

  test.each([
    ['merchant_feature_not_enabled', 403],
    ['rate_limited', 429],
  ] as const)(
    '%s deletes the key, unless an earlier attempt may have had an effect',
    async (code, status) => {
      const [key, resumed] = [`k-${code}`, `k-resumed-${code}`];
      const operationIds: (string | null)[] = [];
      operation = async (_request, _response, operationId) => {
        operationIds.push(operationId);
        throw new ApiError(operationIds.length === 1 ? 'dependency_unavailable' : code);
      };
      for (const expected of [503, status, status])
        expect((await post({ key: resumed })).status).toBe(expected);
      expect(new Set(operationIds).size).toBe(1);
      expectRefusal(await post({ key }), status, code);
      const kept = sql.type(z.object({ key: z.string() }))`
      select key from idempotency_keys where key in (${key}, ${resumed})`;
      expect(await pools[0]?.anyFirst(kept)).toEqual([resumed]);
      operation = succeed;
      for (const each of [key, resumed]) expect((await post({ key: each })).status).toBe(201);
    },
  );

  test.each([
    ['subscription_charge_pending', 409],
    ['payment_rail_unavailable', 503],
  ] as const)(
    '%s ends its operation: a retry must have the same body, and begins another operation',
    async (code, status) => {
      const key = `k-ended-${code}`;
      const operationIds: (string | null)[] = [];
      operation = async (_request, _response, operationId) => {
        operationIds.push(operationId);
        throw new ApiError(code, { endsOperation: true });
      };
      for (let tries = 1; tries <= 3; tries++) {
        expectRefusal(await post({ key }), status, code);
        expectRefusal(await post({ key, body: { amount: 2 } }), 409, 'idempotency_key_conflict');
        expect(new Set(operationIds).size).toBe(tries);
      }
    },
  );

  test('an unexpected failure is not pinned and reveals no internals', async () => {
    operation = () => Promise.reject(new Error('internal words'));
    const failed = await post({ key: 'k-bug' });
    expectRefusal(failed, 500, 'internal_error');
    expect(failed.text).not.toContain('words');
    operation = succeed;
    expect((await post({ key: 'k-bug' })).status).toBe(201);
  });
});

describe('leases', () => {
  const request = (key: string) => ({
    scope: 'merchant:ap_mer_1:sandbox',
    key,
    method: 'POST',
    path: '/required',
    bodyHash: Buffer.from('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', 'hex'),
    movesMoney: false,
  });

  test('a key whose holder died is taken over with its operation id when the lease expires', async () => {
    operation = succeed;
    const pool = pools[0] as Pool;
    // As left by a process that died after claiming the key; the hash is that of `{}`.
    const dead = await claimKey(pool, { ...request('k-dead'), leaseSeconds: 1 });
    const answer = await post({ key: 'k-dead' });
    expect(answer).toMatchObject({
      status: 201,
      body: { id: dead.kind === 'mine' && dead.lease.operationId },
    });
  });

  test('a long operation keeps its lease', async () => {
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    operation = async (...given) => {
      await held;
      return succeed(...given);
    };
    const first = post({ key: 'k-long' });
    // Renewed twice, so that it outlasts its initial term.
    await eventually(async () => expect(await secondsLeased('k-long')).toBeGreaterThan(15));
    finish();
    expect((await first).status).toBe(201);
  }, 60_000);

  const secondsLeased = async (key: string) =>
    (pools[0] as Pool).oneFirst(sql.type(z.object({ seconds: z.number() }))`
      select extract(epoch from lease_until - created_at)::float8 as seconds
      from idempotency_keys where key = ${key}`);
});

test('keys are deleted after 30 days, except those of completed money movements', async () => {
  const pool = pools[0] as Pool;
  const pinned = (status: number) => ({ status, requestId: 'req_1', flowId: null, body: '{}' });
  for (const [name, movesMoney, status] of [
    ['k-old', false, 201],
    ['k-money', true, 201],
    ['k-refused', true, 404],
    ['k-unanswered', true, null],
  ] as const) {
    const key = { method: 'POST', path: '/', bodyHash: Buffer.alloc(32), leaseSeconds: 1, movesMoney };
    await claimKey(pool, { ...key, scope: 'merchant:old', key: name });
    if (status) await pinAnswer(pool, { ...key, scope: 'merchant:old', key: name }, pinned(status));
  }
  await pool.query(sql.unsafe`
    update idempotency_keys set created_at = created_at - interval '31 days', lease_until = created_at
    where scope = 'merchant:old'`);
  expect(await deleteOldKeys(pool, 10)).toBe(3);
  const left = await pool.anyFirst(sql.type(z.object({ key: z.string() }))`
    select key from idempotency_keys where scope = 'merchant:old'`);
  expect(left).toEqual(['k-money']);
});
