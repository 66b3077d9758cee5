/** Event loop, memory, CPU time and connection pools of this process. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { observeGauges } from './gauges.ts';
import { observedCounter } from './metrics.ts';

/** The fields of slonik's pool that are read. */
interface ObservedPool {
  state(): {
    readonly acquiredConnections: number;
    readonly idleConnections: number;
    readonly waitingClients: number;
  };
}

export function observeProcess(maxConnections: number, pools: Readonly<Record<string, ObservedPool>>): void {
  observeEventLoop();
  observeMemory();
  observePools(maxConnections, Object.entries(pools));
}

function observeEventLoop(): void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let before = performance.eventLoopUtilization();
  const gauges = {
    'nodejs.eventloop.delay.p99': ['s', "99th percentile of the event loop's delay since the last scrape."],
    'nodejs.eventloop.utilization': [
      '1',
      'Share of the time in which the event loop was busy since the last scrape.',
    ],
  } as const;
  // Each scrape resets both measurements, so they cover the time since the previous scrape.
  observeGauges(gauges, (observe) => {
    if (delay.count > 0) observe('nodejs.eventloop.delay.p99', delay.percentile(99) / 1e9);
    delay.reset();
    const now = performance.eventLoopUtilization();
    observe('nodejs.eventloop.utilization', performance.eventLoopUtilization(now, before).utilization);
    before = now;
  });
}

function observeMemory(): void {
  const gauges = {
    'process.memory.usage': ['By', 'Resident memory.'],
    'v8js.memory.heap.used': ['By', 'Live and dead objects on the heap.'],
    'v8js.memory.heap.limit': ['By', 'Size limit of the heap.'],
  } as const;
  observeGauges(gauges, (observe) => {
    const heap = getHeapStatistics();
    observe('process.memory.usage', process.memoryUsage.rss());
    observe('v8js.memory.heap.used', heap.used_heap_size);
    observe('v8js.memory.heap.limit', heap.heap_size_limit);
  });
  observedCounter('process.cpu.time', { unit: 's', description: 'Processor time.' }).addCallback((result) => {
    const { user, system } = process.cpuUsage();
    result.observe(user / 1e6, { 'cpu.mode': 'user' });
    result.observe(system / 1e6, { 'cpu.mode': 'system' });
  });
}

const POOL = 'db.client.connection.pool.name';
const POOL_GAUGES = {
  'db.client.connection.count': ['{connection}', 'Connections to PostgreSQL by state.'],
  'db.client.connection.max': ['{connection}', 'Maximum number of connections of a pool.'],
  'db.client.connection.pending_requests': ['{request}', 'Statements that wait for a connection.'],
} as const;

function observePools(maxConnections: number, pools: readonly (readonly [string, ObservedPool])[]): void {
  const STATE = 'db.client.connection.state';
  observeGauges(POOL_GAUGES, (observe) => {
    for (const [name, pool] of pools) {
      const { acquiredConnections, idleConnections, waitingClients } = pool.state();
      observe('db.client.connection.count', acquiredConnections, { [POOL]: name, [STATE]: 'used' });
      observe('db.client.connection.count', idleConnections, { [POOL]: name, [STATE]: 'idle' });
      observe('db.client.connection.max', maxConnections, { [POOL]: name });
      observe('db.client.connection.pending_requests', waitingClients, { [POOL]: name });
    }
  });
}
