/**
 * The service's instruments, on OpenTelemetry's API. Without a provider (tests, `npm run ops`) they do
 * nothing. They are created on first use: the API cannot connect earlier instruments to a later provider.
 */
import {
  type Attributes,
  type Counter,
  type Histogram,
  type Meter,
  type MetricOptions,
  metrics,
  type ObservableCounter,
} from '@opentelemetry/api';

export const SCOPE = 'hosted-checkout';

interface Described extends MetricOptions {
  /** UCUM, as in the semantic conventions: `s`, `By`, `1`, or a noun in braces. */
  readonly unit: string;
  readonly description: string;
}

const meter = (): Meter => metrics.getMeter(SCOPE);

export function counter(name: string, options: Described): Pick<Counter, 'add'> {
  const made = once(() => meter().createCounter(name, options));
  return { add: (value, attributes) => made().add(value, attributes) };
}

export function histogram(
  name: string,
  options: Described & { readonly buckets: readonly number[] },
): Pick<Histogram, 'record'> {
  const { buckets, ...described } = options;
  const made = once(() =>
    meter().createHistogram(name, { ...described, advice: { explicitBucketBoundaries: [...buckets] } }),
  );
  return { record: (value, attributes) => made().record(value, attributes) };
}

export function observedCounter(name: string, options: Described): ObservableCounter {
  return meter().createObservableCounter(name, options);
}

/** Creates the instrument again when the provider changes: a test process has several providers in turn. */
function once<Made>(make: () => Made): () => Made {
  let made: { readonly of: Meter; readonly instrument: Made } | undefined;
  return () => {
    const now = meter();
    if (made?.of !== now) made = { of: now, instrument: make() };
    return made.instrument;
  };
}

let perMerchant = false;

/** Merchants become a label only if an operator enables it, because each adds its own series to every metric. */
export function labelMerchants(on: boolean): void {
  perMerchant = on;
}

export function merchantLabel(merchantId: string | null | undefined): Attributes {
  return perMerchant && merchantId ? { merchant: merchantId } : {};
}

/** Histogram buckets, in seconds, for time spent waiting by a person or for the processor. */
export const WAIT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20] as const;
