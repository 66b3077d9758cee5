/** The rival's API, as a process: creates sessions, and turns a click into a payment and a job in one statement. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { readSetting, ready } from './setting.ts';

const CREATE = {
  name: 'create',
  text: `insert into sessions (amount, currency, content) values ($1, $2, $3) returning id`,
};
const CLICK = {
  name: 'click',
  text: `
    with session as (
      update sessions set state = 'processing' where id = $1 and state = 'created' returning id
    ),
    payment as (
      insert into payments (session_id, method_token) select id, $2 from session returning id
    )
    select graphile_worker.add_job('charge', json_build_object('paymentId', payment.id)) from payment`,
};
const STATE = { name: 'state', text: 'select state from sessions where id = $1' };

const pool = new pg.Pool({ connectionString: readSetting().databaseUrl, max: 10 });

async function answer(request: IncomingMessage): Promise<object> {
  const [, kind, id, action] = (request.url ?? '').split('/');
  if (kind === 'rail-news') return {};
  if (request.method === 'GET') return (await pool.query({ ...STATE, values: [id] })).rows[0];
  const body = await readJson(request);
  if (action === 'pay') {
    const { rowCount } = await pool.query({ ...CLICK, values: [id, body.methodToken] });
    return { claim: rowCount === 1 ? 'claimed' : 'refused' };
  }
  const { amount, currency, ...content } = body;
  const created = await pool.query({ ...CREATE, values: [amount, currency, JSON.stringify(content)] });
  return created.rows[0];
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

const server = createServer((request, response) => {
  answer(request).then(
    (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    (error) => response.writeHead(500).end(String(error)),
  );
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => ready((server.address() as AddressInfo).port));
