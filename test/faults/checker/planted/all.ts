/** Faults planted in a copy of real records; the checker must find each. */
import { CLIENTS } from './clients.ts';
import type { Planted } from './copy.ts';
import { COUPONS } from './coupons.ts';
import { EVENTS } from './events.ts';
import { INSIDE } from './inside.ts';
import { MONEY } from './money.ts';
import { STATES } from './states.ts';

export const PLANTED: readonly Planted[] = [
  ...MONEY,
  ...COUPONS,
  ...CLIENTS,
  ...EVENTS,
  ...STATES,
  ...INSIDE,
];
