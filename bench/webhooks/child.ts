/** A child process's side of the protocol. Exits with its parent. */
import type { Order, Report, Setting } from './messages.ts';

export function setting(): Setting {
  return JSON.parse(process.env.BENCH_SETTING ?? '{}');
}

export function report(message: Report): void {
  process.send?.(message);
}

export function onOrder(obey: (order: Order) => void): void {
  process.on('message', (order) => obey(order as Order));
  process.on('disconnect', () => process.exit());
}
