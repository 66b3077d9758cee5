/**
 * Gauges are collected here instead of by OpenTelemetry's SDK, which repeats values that a callback no longer observes,
 * keeps the older of two values when the clock is set back, and merges all series after the 2,000th.
 */
import { type Attributes, ValueType } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type GaugeMetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import { SCOPE } from './metrics.ts';

/** UCUM units, as in metrics.ts. */
export type Described<Name extends string> = Readonly<
  Record<Name, readonly [unit: string, description: string]>
>;
type Observe<Name extends string> = (name: Name, value: number, attributes?: Attributes) => void;
type Observer<Name extends string> = (observe: Observe<Name>) => void | Promise<void>;

let descriptions = new Map<string, readonly [unit: string, description: string]>();
let observers: Observer<string>[] = [];

/** @param observer runs in each collection, which contains only the values that it observes */
export function observeGauges<Name extends string>(gauges: Described<Name>, observer: Observer<Name>): void {
  for (const [name, described] of Object.entries<Described<Name>[Name]>(gauges))
    descriptions.set(name, described);
  observers.push(observer as Observer<string>);
}

/** Drops the observers of an earlier provider in this process. */
export function gaugeProducer(): MetricProducer {
  descriptions = new Map();
  observers = [];
  return { collect };
}

const collect: MetricProducer['collect'] = async () => {
  const points = new Map<string, DataPoint<number>[]>();
  const now: [number, number] = [Math.floor(Date.now() / 1_000), 0];
  const observe: Observe<string> = (name, value, attributes = {}) => {
    const point = { startTime: now, endTime: now, attributes, value };
    points.set(name, [...(points.get(name) ?? []), point]);
  };
  const ended = await Promise.allSettled(observers.map(async (observer) => observer(observe)));
  const metrics = [...points].map(([name, dataPoints]) => gaugeOf(name, dataPoints));
  return {
    resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope: { name: SCOPE }, metrics }] },
    errors: ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])),
  };
};

function gaugeOf(name: string, dataPoints: DataPoint<number>[]): GaugeMetricData {
  const [unit = '', description = ''] = descriptions.get(name) ?? [];
  return {
    descriptor: { name, unit, description, valueType: ValueType.DOUBLE },
    dataPointType: DataPointType.GAUGE,
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints,
  };
}
