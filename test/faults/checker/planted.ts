/** Faults planted in a copy of real records; the checker has to find each. */
import { CLIENTS } from './planted/clients.ts';
import type { Planted } from './planted/copy.ts';
import { EVENTS } from './planted/events.ts';
import { INSIDE } from './planted/inside.ts';
import { MONEY } from './planted/money.ts';
import { STATES } from './planted/states.ts';

export const PLANTED: readonly Planted[] = [...MONEY, ...CLIENTS, ...EVENTS, ...STATES, ...INSIDE];
