/** A night on call: the service under purchases, with everything that notifies its operator. */
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { IncidentNotice } from '../../contract/operations/incident-notice.ts';
import { payAsBuyer } from '../../sandbox/buyer/buyer.ts';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { Recorder } from '../faults/harness/core/record.ts';
import { openPlace, type Place } from '../faults/harness/place/place.ts';
import { startPrometheusServer } from '../support/tool/prometheus-server.ts';

const OPS_MS = 120_000;

export interface Night {
  readonly place: Place;
  /** Notices of the operators' webhook, in order of arrival. */
  readonly notices: readonly IncidentNotice[];
  /** Names of the alerts that fire in Prometheus, by the rules of deploy/observability. */
  firing(): Promise<readonly string[]>;
  /** @returns the command's output, whatever its exit code */
  ops(...args: readonly string[]): Promise<string>;
  /** A purchase by a merchant's server and a buyer. @returns the session's id */
  buy(card?: string): Promise<string>;
  /** The API as the merchant's server uses it. */
  asMerchant(method: string, path: string, body?: object): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

/** @param rate purchases a second */
export async function openNight(rate: number): Promise<Night> {
  const dir = await mkdtemp(join(tmpdir(), 'checkout-night-'));
  const notices: IncidentNotice[] = [];
  const receiver = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    notices.push(JSON.parse(Buffer.concat(pieces).toString()));
    response.writeHead(200).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const place = await openPlace({
    dir,
    recorder: new Recorder(),
    isTemporalOnPostgres: false,
    isLagging: false,
    hasMetrics: true,
    sessionSeconds: 300,
    env: {
      OPERATORS_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
      OPERATORS_WEBHOOK_SECRET: secret,
      RAIL_CALL_TIMEOUT_SECONDS: '20',
    },
  });
  const prometheus = await startPrometheusServer({
    targets: place.metrics,
    // As in deploy/observability/prometheus.yaml.
    times: { scrape_interval: '15s', evaluation_interval: '15s' },
    // An alert that keeps firing after its cause would count as the next break's. The night sells in the sandbox.
    changeRules: (rules) =>
      rules.replaceAll(/^ +keep_firing_for: .*\n/gm, '').replaceAll('"production"', '"sandbox"'),
  });
  const over = new AbortController();
  const night: Night = {
    place,
    notices,
    firing: prometheus.firing,
    ops: (...args) => ops(place, args),
    buy: (card) => buy(night, card),
    asMerchant: (method, path, body) => asMerchant(place, method, path, body),
    async stop() {
      over.abort();
      await prometheus.stop();
      await place.stop();
      receiver.close().closeAllConnections();
      await rm(dir, { recursive: true, force: true });
    },
  };
  void keepBuying(night, rate, over.signal);
  return night;
}

async function ops({ env }: Place, args: readonly string[]): Promise<string> {
  const options = { env: { ...process.env, ...env }, cwd: PROJECT_DIR, timeout: OPS_MS };
  return new Promise((resolve) =>
    execFile(process.execPath, ['bin/ops.ts', ...args], options, (_error, out, err) => resolve(out || err)),
  );
}

async function asMerchant({ apiUrl, merchant }: Place, method: string, path: string, body?: object) {
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${merchant.apiKey}`,
      'content-type': 'application/json',
      // The route that creates sessions accepts no key.
      ...(path === '/v1/refunds' && { 'idempotency-key': randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

async function buy(night: Night, card?: string): Promise<string> {
  const { id = '', hostedUrl = '' } = await night.asMerchant('POST', '/v1/checkouts', {
    productId: night.place.products.oneTime,
    externalCustomerId: `customer-${randomBytes(6).toString('hex')}`,
  });
  await payAsBuyer({ hostedUrl, card, timeoutSeconds: 10 });
  return id;
}

/** Refused and unanswered purchases are expected effects of a break. */
async function keepBuying(night: Night, rate: number, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    void night.buy().catch(() => {});
    await pause(1_000 / rate);
  }
}
