/**
 * Figures that only the database knows: open work, its age, and the money involved. Each worker shows the
 * same ones, so dashboards take their maximum.
 */
import type { ObservableGauge } from '@opentelemetry/api';
import { gauge, meter } from './meter.ts';

export interface Figure {
  readonly name: FigureName;
  readonly attributes: Readonly<Record<string, string>>;
  readonly value: number;
}

export type Figures = readonly Figure[];

/** All gauges read from the database. */
const GAUGES = {
  'checkout.session.open': ['{session}', 'Sessions that have not ended, by state.'],
  'checkout.session.oldest.age': [
    's',
    'Time since the oldest session in this state was created or attempted.',
  ],
  'checkout.incident.open': [
    '{incident}',
    'Incidents that wait for an operator or settle automatically, by kind.',
  ],
  'checkout.incident.oldest.age': ['s', 'Age of the oldest incident of this kind; 0 without one.'],
  'checkout.incident.amount': ['{minor_unit}', "Money in open incidents, in the currency's minor unit."],
  'checkout.webhook.undelivered': [
    '{delivery}',
    'Deliveries that wait for an attempt; counted up to 10,000.',
  ],
  'checkout.webhook.undelivered.oldest.age': ['s', 'Age of the oldest of these deliveries.'],
  'checkout.webhook.overdue.age': ['s', 'How late the next attempt is, if it is overdue.'],
  'checkout.webhook.endpoints': ['{endpoint}', 'Webhook endpoints by state.'],
  'checkout.subscription.past_due': ['{subscription}', 'Subscriptions with an unpaid invoice.'],
  'checkout.renewal.due': ['{subscription}', 'Subscriptions whose next step is due but not done.'],
  'checkout.renewal.late': ['{subscription}', 'Those of them that have been due for five minutes.'],
  'checkout.sweep.age': ['s', 'Time since the last finished round of the sweep.'],
  'checkout.database.fenced': ['{fence}', '1 while a restored database is compared with the rail.'],
} as const satisfies Record<string, readonly [unit: string, description: string]>;

export type FigureName = keyof typeof GAUGES;

/** Read again at most this often, however many scrapers there are. */
const KEPT_MS = 10_000;
/** Reading takes at most this share of one connection's time. */
const SHARE = 0.05;
/** A scrape waits this long, and then shows no figures rather than old ones. */
const TIMEOUT_MS = 3_000;

export interface FiguresLogger {
  warn(details: object, message: string): void;
}

export function observeFigures(read: () => Promise<Figures>, logger: FiguresLogger): void {
  const current = kept(read, logger);
  const gauges = new Map<FigureName, ObservableGauge>();
  for (const [name, [unit, description]] of Object.entries(GAUGES))
    gauges.set(name as FigureName, gauge(name, { unit, description }));
  meter().addBatchObservableCallback(
    async (result) => {
      for (const { name, value, attributes } of await current()) {
        const made = gauges.get(name);
        if (made) result.observe(made, value, attributes);
      }
    },
    [...gauges.values()],
  );
}

/** No figures while the database does not answer: `absent()` shows that, an old number would not. */
function kept(read: () => Promise<Figures>, logger: FiguresLogger): () => Promise<Figures> {
  let figures: Promise<Figures> = Promise.resolve([]);
  let until = 0;
  let failing = false;

  async function readNow(): Promise<Figures> {
    const startedAt = performance.now();
    try {
      const found = await read();
      failing = false;
      return found;
    } catch (err) {
      if (!failing) logger.warn({ err }, 'metrics: database figures unavailable');
      failing = true;
      return [];
    } finally {
      const now = performance.now();
      until = Math.max(startedAt + KEPT_MS, now + (now - startedAt) / SHARE);
    }
  }

  return () => {
    if (performance.now() >= until) {
      until = Number.POSITIVE_INFINITY;
      figures = readNow();
    }
    const late = new Promise<Figures>((resolve) => setTimeout(resolve, TIMEOUT_MS, []).unref());
    return Promise.race([figures, late]);
  };
}
