/**
 * Figures from the database: open work, its age, and the money involved. Every worker exports the same figures, so
 * dashboards take their maximum.
 */
import { observeGauges } from './gauges.ts';
import type { Log } from './logger.ts';

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
  'checkout.click.expired': [
    '{session}',
    'Sessions whose click expired in the last five minutes, if no worker has taken any click since.',
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
  'checkout.webhook.undelivered.oldest.age': ['s', 'Age of the oldest delivery that waits for an attempt.'],
  'checkout.webhook.overdue.age': [
    's',
    'How late the next attempt is, if it is overdue and does not wait for its receiver.',
  ],
  'checkout.webhook.endpoints': ['{endpoint}', 'Webhook endpoints by state.'],
  'checkout.subscription.past_due': ['{subscription}', 'Subscriptions with an unpaid invoice.'],
  'checkout.renewal.due': ['{subscription}', 'Subscriptions whose next step is due but not done.'],
  'checkout.renewal.late': ['{subscription}', 'Subscriptions whose next step has been due for five minutes.'],
  'checkout.sweep.age': ['s', 'Time since the last finished round of the sweep.'],
  'checkout.figures.age': ['s', 'Time since these figures were read, or since the start if they never were.'],
} as const satisfies Record<string, readonly [unit: string, description: string]>;

export type FigureName = keyof typeof GAUGES;

/** Minimum time between reads, however many scrapers there are. */
const KEPT_MS = 10_000;
/** Reading takes at most this share of one connection's time. */
const SHARE = 0.05;
const LONGEST_PAUSE_MS = 60_000;
/** Shorter than a scrape interval of five seconds. After this wait, a scrape shows no figures instead of old ones. */
const SCRAPE_WAITS_MS = 4_000;

/** @param read must time out by itself, because no other read begins before it has ended */
export function observeFigures(read: () => Promise<Figures>, logger: Pick<Log, 'warn'>): void {
  const figures = kept(read, logger);
  observeGauges(GAUGES, async (observe) => {
    for (const { name, value, attributes } of await figures.current()) observe(name, value, attributes);
    observe('checkout.figures.age', figures.ageMs() / 1_000);
  });
}

/** Exports no figures while the database does not answer: `absent()` detects that, while old numbers would hide it. */
function kept(read: () => Promise<Figures>, logger: Pick<Log, 'warn'>) {
  let figures: Promise<Figures> = Promise.resolve([]);
  let until = 0;
  let readAt = performance.now();
  let failing = false;

  async function readNow(): Promise<Figures> {
    const startedAt = performance.now();
    try {
      const found = await read();
      const now = performance.now();
      const pause = Math.min((now - startedAt) / SHARE, LONGEST_PAUSE_MS);
      until = Math.max(startedAt + KEPT_MS, now + pause);
      readAt = startedAt;
      failing = false;
      return found;
    } catch (err) {
      until = performance.now() + KEPT_MS;
      if (!failing) logger.warn({ err }, 'database metrics unavailable');
      failing = true;
      return [];
    }
  }

  return {
    ageMs: () => performance.now() - readAt,
    current() {
      if (performance.now() >= until) {
        until = Number.POSITIVE_INFINITY;
        figures = readNow();
      }
      const late = new Promise<Figures>((resolve) => setTimeout(resolve, SCRAPE_WAITS_MS, []).unref());
      return Promise.race([figures, late]);
    },
  };
}
