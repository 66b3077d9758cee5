/** Messages between the benchmark process and its children. */

/** Unix time in fractional milliseconds, comparable between processes of one machine. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

/** The time-out of an attempt, as in production. */
export const TIMEOUT_SECONDS = 15;

export interface Arrival {
  readonly eventId: string;
  readonly atMs: number;
}

/** To a child. */
export type Order =
  | { readonly kind: 'forget' }
  | { readonly kind: 'report' }
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' };

/** From a child. */
export type Report =
  | { readonly kind: 'ready'; readonly port?: number }
  | { readonly kind: 'arrivals'; readonly arrivals: readonly Arrival[] }
  | { readonly kind: 'stopped'; readonly sent?: number; readonly seconds?: number };

/** Passed to every child in its environment. */
export interface Setting {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly receiverUrl: string;
  readonly secret: string;
  readonly secretsKey: string;
}
