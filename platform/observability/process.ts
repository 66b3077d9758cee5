/** Event loop, memory, processor time and connection pools of this process. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { gauge, observedCounter } from './meter.ts';

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
  // Reset by the scrape: each one shows the time since the last.
  gauge('nodejs.eventloop.delay.p99', {
    unit: 's',
    description: 'The delay that 99 percent of the event loop stayed below, since the last scrape.',
  }).addCallback((result) => {
    if (delay.count > 0) result.observe(delay.percentile(99) / 1e9);
    delay.reset();
  });
  gauge('nodejs.eventloop.utilization', {
    unit: '1',
    description: 'Part of the time in which the event loop was busy, since the last scrape.',
  }).addCallback((result) => {
    const now = performance.eventLoopUtilization();
    result.observe(performance.eventLoopUtilization(now, before).utilization);
    before = now;
  });
}

function observeMemory(): void {
  gauge('process.memory.usage', { unit: 'By', description: 'Resident memory.' }).addCallback((result) =>
    result.observe(process.memoryUsage.rss()),
  );
  gauge('v8js.memory.heap.used', {
    unit: 'By',
    description: 'Live and dead objects on the heap.',
  }).addCallback((result) => result.observe(getHeapStatistics().used_heap_size));
  gauge('v8js.memory.heap.limit', { unit: 'By', description: 'Limit of the heap.' }).addCallback((result) =>
    result.observe(getHeapStatistics().heap_size_limit),
  );
  observedCounter('process.cpu.time', { unit: 's', description: 'Processor time.' }).addCallback((result) => {
    const { user, system } = process.cpuUsage();
    result.observe(user / 1e6, { 'cpu.mode': 'user' });
    result.observe(system / 1e6, { 'cpu.mode': 'system' });
  });
}

function observePools(maxConnections: number, pools: readonly (readonly [string, ObservedPool])[]): void {
  const POOL = 'db.client.connection.pool.name';
  gauge('db.client.connection.count', {
    unit: '{connection}',
    description: 'Connections to PostgreSQL by state.',
  }).addCallback((result) => {
    for (const [name, pool] of pools) {
      const { acquiredConnections, idleConnections } = pool.state();
      result.observe(acquiredConnections, { [POOL]: name, 'db.client.connection.state': 'used' });
      result.observe(idleConnections, { [POOL]: name, 'db.client.connection.state': 'idle' });
    }
  });
  gauge('db.client.connection.max', {
    unit: '{connection}',
    description: 'Maximum number of connections of a pool.',
  }).addCallback((result) => {
    for (const [name] of pools) result.observe(maxConnections, { [POOL]: name });
  });
  gauge('db.client.connection.pending_requests', {
    unit: '{request}',
    description: 'Statements that wait for a connection.',
  }).addCallback((result) => {
    for (const [name, pool] of pools) result.observe(pool.state().waitingClients, { [POOL]: name });
  });
}
