/**
 * Where a process can be killed between a database commit, a call to the rail and a message to Temporal. An activity is
 * short transactions and at most one call: before it, after it, and before and after its call are all the boundaries.
 */

/** Activities, and the parts of `payWithinTask`, by flow. `loadCheckout` and the like read only: a kill there equals one before the next step. */
const ACTIVITIES = {
  purchase: [
    'payWithinTask',
    'claimAttempt',
    'chargeWithinTask',
    'chargeAttempt',
    'recordOutcome',
    'lookUpAttempt',
  ],
  renewal: [
    'operateSubscription',
    'crossBoundary',
    'chargeOldest',
    'chargeStored',
    'recordCharge',
    'reachClockTarget',
  ],
  refund: ['sendRefund', 'recordRefund'],
} as const;

/** Calls of the rail's adapter. */
const CALLS = {
  purchase: ['authorize', 'lookup'],
  renewal: ['chargeStored'],
  refund: ['lookupRefund', 'refund'],
} as const;

/** Messages to Temporal: their kind, and the type of the workflow or the name of the message. */
const MESSAGES = {
  purchase: ['start checkout', 'update pay'],
  renewal: ['start subscription'],
  refund: ['start refund'],
} as const;

export type Flow = keyof typeof ACTIVITIES;
export const FLOWS: readonly Flow[] = ['purchase', 'renewal', 'refund'];

export const pointsOf = (flow: Flow): readonly string[] => [
  ...ACTIVITIES[flow].flatMap((name) => [beforeActivity(name), afterActivity(name)]),
  ...CALLS[flow].flatMap((name) => [beforeCall(name), afterCall(name)]),
  ...MESSAGES[flow].flatMap((name) => [beforeMessage(name), afterMessage(name)]),
];

export const CALL_NAMES: ReadonlySet<string> = new Set(Object.values(CALLS).flat());

export const beforeActivity = (name: string) => `${name} begins`;
export const afterActivity = (name: string) => `${name} has committed`;
export const beforeCall = (name: string) => `the rail's ${name} is sent`;
export const afterCall = (name: string) => `the rail's ${name} is answered`;
export const beforeMessage = (name: string) => `${name} is sent`;
export const afterMessage = (name: string) => `${name} is recorded`;
