/** The floor of lists, as a process: Express and pg, the same SQL, no authentication, no checked rows. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express from 'express';
import pg from 'pg';

const BATCH_ROWS = 200;
const COLUMNS = `p.id, p.order_id, p.rail_account_id, p.rail_order_id, p.rail, p.payment_method, p.status, p.amount,
  p.currency, p.failure_code, p.failure_message, p.created_at, p.updated_at`;
const NEWEST_FIRST = 'order by unix_ms(p.created_at) desc, p.id desc limit';
const OF_MERCHANT = `select ${COLUMNS} from payments p where p.merchant_id = $1 and p.environment = 'sandbox'`;
const FIRST = `${OF_MERCHANT} ${NEWEST_FIRST} ${BATCH_ROWS}`;
const NEXT = `${OF_MERCHANT}
  and (unix_ms(p.created_at), p.id) < (select unix_ms(created_at), id from payments where id = $2)
  ${NEWEST_FIRST} ${BATCH_ROWS}`;

const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE_URL, max: 10 });

async function* written(merchantId: string): AsyncGenerator<string> {
  yield '{"data":[';
  let { rows } = await pool.query({ name: 'first', text: FIRST, values: [merchantId] });
  for (let separator = ''; rows.length > 0; separator = ',') {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',');
    if (rows.length < BATCH_ROWS) break;
    ({ rows } = await pool.query({ name: 'next', text: NEXT, values: [merchantId, rows.at(-1).id] }));
  }
  yield ']}';
}

const app = express();
app.get('/:merchantId', async (request, response) => {
  response.status(200).type('json');
  await pipeline(Readable.from(written(request.params.merchantId), { highWaterMark: 1 }), response);
});
process.once('disconnect', () => process.exit());
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.((server.address() as AddressInfo).port);
