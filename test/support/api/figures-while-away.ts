/** Checks every series read from the database while PostgreSQL hangs or refuses connections, and after each. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { metrics } from '@opentelemetry/api';
import { beat, SWEEP } from '../../../db/core/heartbeats.ts';
import { openPool, type Pool } from '../../../db/core/pool.ts';
import { askDatabase, inTime, openWatchPool } from '../../../db/core/watch-pool.ts';
import { readBusinessFigures } from '../../../db/operations/business-figures.ts';
import { observeFigures } from '../../../platform/observability/database-gauges.ts';
import { observeDependencies } from '../../../platform/observability/dependencies.ts';
import { serveMetrics } from '../../../platform/observability/metrics-server.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { eventually } from '../core/eventually.ts';
import { APPROVED, answer, clickAccepted, UNKNOWN } from '../db/attempts.ts';
import { insertSession, insertShop } from '../db/fixtures.ts';
import { startOwnPostgres } from '../db/stopped-postgres.ts';
import { type Sample, scrape, sumOf } from '../tool/metrics.ts';

/** Figures are kept for ten seconds, and a read that hangs ends after five. */
const GONE_WITHIN_MS = 16_000;
const BACK_WITHIN_MS = 30_000;
const AGE = 'checkout_figures_age_seconds';
const UP = 'checkout_database_up';
const logger = { info() {}, warn() {}, error() {} };

export async function watchFiguresWhileAway(awayMs: number): Promise<void> {
  const postgres = await startOwnPostgres();
  const pool = await openPool({ url: postgres.url });
  const watchPool = await openWatchPool({ url: postgres.url });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/metrics`;
  const server = serveMetrics({ service: 'test', host: '127.0.0.1', port, perMerchant: true, logger });
  observeFigures(() => inTime(watchPool, (db) => readBusinessFigures(db, { perMerchant: true })), logger);
  observeDependencies({ askDatabase: () => askDatabase(watchPool), askTemporal: async () => {} });
  const ours = async () => (await scrape(url)).filter(({ name }) => /^checkout_.*(?<!_total)$/.test(name));
  try {
    const settle = await chargeInDoubt(pool);
    await beat(pool, SWEEP);
    const before = await eventually(async () => {
      const found = await ours();
      expect(seriesOf(found)).toContainEqual(expect.stringContaining('"merchant"'));
      return found;
    }, BACK_WITHIN_MS);

    const withoutMerchant = seriesOf(before).filter((series) => !series.includes('"merchant"'));
    const isCurrent = () =>
      eventually(async () => {
        const after = await ours();
        expect(seriesOf(after)).toEqual(expect.arrayContaining(withoutMerchant));
        expect(seriesOf(after).filter((series) => series.includes('"merchant"'))).toEqual([]);
        expect(sumOf(after, 'checkout_sweep_age_seconds')).toBeLessThan(BACK_WITHIN_MS / 1_000);
        expect(sumOf(after, AGE)).toBeLessThan(11);
        expect(sumOf(after, UP)).toBe(1);
      }, BACK_WITHIN_MS);

    postgres.freeze();
    await goneWhileAway(ours, awayMs);
    postgres.thaw();
    await settle();
    await beat(pool, SWEEP);
    await isCurrent();

    await postgres.leave();
    await goneWhileAway(ours, awayMs);
    await postgres.comeBack();
    // The pool's connections were cut.
    await eventually(() => beat(pool, SWEEP), BACK_WITHIN_MS);
    await isCurrent();
  } finally {
    server.close();
    metrics.disable();
    postgres.thaw();
    await Promise.all([pool.end(), watchPool.end()]);
    await postgres.stop();
  }
}

/** Every scrape is answered; after the time-out, with only the `up` gauges and the age of the figures, which grows. */
async function goneWhileAway(ours: () => Promise<readonly Sample[]>, awayMs: number): Promise<void> {
  const startedAt = performance.now();
  let lastAge = 0;
  for (let isGone = false; performance.now() - startedAt < Math.max(awayMs, GONE_WITHIN_MS + 2_000); ) {
    const scrapedAt = performance.now();
    isGone = scrapedAt - startedAt > GONE_WITHIN_MS;
    const found = await ours();
    expect(performance.now() - scrapedAt).toBeLessThan(8_000);
    if (isGone) {
      expect(seriesOf(found)).toEqual([`${UP}{}`, `${AGE}{}`, 'checkout_temporal_up{}']);
      expect(sumOf(found, UP)).toBe(0);
      expect(sumOf(found, AGE)).toBeGreaterThan(lastAge);
      lastAge = sumOf(found, AGE);
    }
    await pause(1_000);
  }
  expect(lastAge).toBeGreaterThan(GONE_WITHIN_MS / 1_000);
}

const seriesOf = (samples: readonly Sample[]) =>
  samples.map(({ name, labels }) => `${name}${JSON.stringify(labels)}`).toSorted();
async function chargeInDoubt(pool: Pool): Promise<() => Promise<void>> {
  const shop = await insertShop(pool);
  const { id } = await insertSession(pool, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(pool, id);
  await answer(pool, id, paymentId, UNKNOWN, { lookupTimeUp: true });
  return async () => void (await answer(pool, id, paymentId, APPROVED));
}
