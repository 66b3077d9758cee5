/**
 * The rival: the same flow written directly on PostgreSQL with graphile-worker. A session's row, a click that writes a
 * payment and a job, the same rail called by the same adapter, the outcome, and an event that is signed and sent by the
 * same code to the same shop. Its database is in the service's PostgreSQL.
 */
import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Arrivals } from '../core/arrivals.ts';
import { createBenchDatabase } from '../core/bench-database.ts';
import { cardToken } from '../core/card.ts';
import { openHttp } from '../core/http.ts';
import { type Contestant, stopwatch, withinAMinute } from '../core/load.ts';
import type { Place } from '../core/place.ts';
import type { Ready, Setting } from './setting.ts';
import { prepareTables } from './tables.ts';

const RAIL_ACCOUNT = 'acct_rival';

export interface Rival {
  readonly contestant: Contestant;
  readonly pids: Readonly<Record<string, number>>;
  end(): Promise<void>;
}

export async function openRival(place: Place, arrivals: Arrivals): Promise<Rival> {
  const { dev } = place;
  const http = openHttp();
  const setting: Setting = {
    databaseUrl: await createBenchDatabase(place),
    railUrl: dev.railUrl,
    railAccount: RAIL_ACCOUNT,
    railSecret: `rsk_${randomBytes(32).toString('hex')}`,
    railWebhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    receiverUrl: dev.webhook.url,
    receiverSecret: dev.webhook.secret,
  };
  await prepareTables(setting.databaseUrl);
  const [api, worker] = await Promise.all([start('api.ts', setting), start('worker.ts', setting)]);
  const url = `http://127.0.0.1:${api.port}`;
  await http.ask(`${dev.railUrl}/admin/accounts`, {
    body: {
      id: setting.railAccount,
      secret: setting.railSecret,
      webhookUrl: `${url}/rail-news`,
      webhookSecret: setting.railWebhookSecret,
    },
  });

  async function purchase() {
    const session = { amount: 1_900, currency: 'EUR', customer: randomUUID(), email: 'buyer@example.com' };
    const { id } = JSON.parse(await http.ask(`${url}/sessions`, { body: session }));
    const methodToken = await cardToken(http, dev, RAIL_ACCOUNT);
    const received = arrivals.next('received', id);
    const sinceClick = stopwatch();
    const { claim } = JSON.parse(await http.ask(`${url}/sessions/${id}/pay`, { body: { methodToken } }));
    const answeredMs = sinceClick();
    if (claim !== 'claimed') throw new Error(`${id}: the click was not claimed: ${claim}`);
    await withinAMinute(`the webhook of ${id}`, received);
    const receivedMs = sinceClick();
    const { state } = JSON.parse(await http.ask(`${url}/sessions/${id}`));
    if (state !== 'succeeded') throw new Error(`${id}: ${state}`);
    return { 'click to answer': answeredMs, 'click to webhook': receivedMs };
  }

  return {
    contestant: { name: 'graphile-worker', act: purchase },
    pids: { 'rival api': api.pid, 'rival worker': worker.pid },
    async end() {
      api.kill();
      worker.kill();
      await http.end();
    },
  };
}

async function start(script: string, setting: Setting) {
  const child = fork(join(import.meta.dirname, script), {
    env: { ...process.env, BENCH_SETTING: JSON.stringify(setting) },
  });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the rival's ${script} exited with code ${code}`);
  });
  exited.catch(() => {});
  const [{ port }] = (await Promise.race([once(child, 'message'), exited])) as [Ready];
  return { port, pid: child.pid ?? 0, kill: () => void child.kill('SIGKILL') };
}
