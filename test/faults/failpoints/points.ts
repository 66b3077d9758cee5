/**
 * Where a process can be killed between a database commit, a call to the rail and a message to Temporal. An activity
 * consists of short transactions and at most one call, so the points before and after the activity and its call are
 * all the boundaries.
 */

interface Boundaries {
  /** `loadCheckout` and similar activities only read: a kill there is equivalent to one before the next step. */
  readonly activities: readonly string[];
  /** The kind of attempt whose call and record have their own failpoints. */
  readonly attempt?: string;
  /** Calls of the rail's adapter. */
  readonly calls?: readonly string[];
  /** Messages to Temporal: their kind, and the type of the workflow or the name of the message. */
  readonly messages?: readonly string[];
}

const BOUNDARIES = {
  purchase: {
    activities: ['pay', 'continueAttempt', 'lookUpAttempt'],
    attempt: 'click',
    calls: ['authorize', 'lookup'],
    messages: ['start checkout', 'update pay'],
  },
  'end of a session': {
    activities: ['recordChallengeReturned', 'requestCancel', 'expireCheckout'],
    calls: ['cancel'],
    messages: ['update completeChallenge', 'update cancel', 'signal railWebhook'],
  },
  renewal: {
    activities: ['operateSubscription', 'bill', 'continueCharge', 'lookUpCharge', 'reachClockTarget'],
    attempt: 'charge',
    calls: ['chargeStored'],
    messages: ['start subscription', 'update advanceClock'],
  },
  'change of a subscription': {
    activities: ['tellSubscription', 'cancelAsRequested', 'giveUpSubscription'],
    messages: ['start methodChange', 'update scheduleChange', 'update cancelChange', 'update methodUpdated'],
  },
  refund: {
    activities: ['sendRefund', 'lookUpRefund'],
    attempt: 'refund',
    calls: ['lookupRefund', 'refund'],
    messages: ['start refund'],
  },
  'return of a charge': {
    activities: ['judgeAfterEnd', 'returnCharge'],
    calls: ['refundedTotal'],
    messages: ['start reconcile by signal'],
  },
  dispute: { activities: [], calls: ['listDisputes'] },
  'decision of an operator': {
    activities: ['resolveSession', 'resolveSubscription', 'resolveRefund'],
    messages: ['signal resolveRequested'],
  },
  delivery: {
    activities: ['deliverDue', 'recoverBatch'],
    messages: ['start deliverEvents by signal', 'start recoverDeliveries'],
  },
  sweep: { activities: ['sweepOnce'], messages: ['signal wake'] },
  restore: { activities: ['beginComparison', 'compareAccounts', 'adoptFindings', 'finishRestore'] },
} as const satisfies Readonly<Record<string, Boundaries>>;

export type Flow = keyof typeof BOUNDARIES;
export const FLOWS = Object.keys(BOUNDARIES) as readonly Flow[];

const inEachFlow: readonly Boundaries[] = Object.values(BOUNDARIES);
export const CALL_NAMES: ReadonlySet<string> = new Set(inEachFlow.flatMap(({ calls = [] }) => calls));
export const ACTIVITY_NAMES: readonly string[] = inEachFlow.flatMap(({ activities }) => activities);
export const MESSAGE_NAMES: readonly string[] = inEachFlow.flatMap(({ messages = [] }) => messages);

export function pointsOf(flow: Flow): readonly string[] {
  const { activities, attempt, calls = [], messages = [] }: Boundaries = BOUNDARIES[flow];
  const parts = attempt ? [partOf(attempt, 'send'), partOf(attempt, 'record')] : [];
  return [
    ...[...activities, ...parts].flatMap((name) => [beforeActivity(name), afterActivity(name)]),
    ...calls.flatMap((name) => [beforeCall(name), afterCall(name)]),
    ...messages.flatMap((name) => [beforeMessage(name), afterMessage(name)]),
  ];
}

export const partOf = (attempt: string, part: 'send' | 'record') => `${part} of a ${attempt}`;
export const beforeActivity = (name: string) => `${name} begins`;
export const afterActivity = (name: string) => `${name} has committed`;
export const beforeCall = (name: string) => `the rail's ${name} is sent`;
export const afterCall = (name: string) => `the rail's ${name} is answered`;
export const beforeMessage = (name: string) => `${name} is sent`;
export const afterMessage = (name: string) => `${name} is recorded`;

/**
 * Flows and points that a short run may miss: they need a rail that answers slowly or not at all, a card that
 * fails for weeks, a restore, an operator at work, a pause between deliveries, or the end of a round of the sweep.
 */
const RARE_FLOWS: readonly Flow[] = [
  'decision of an operator',
  'restore',
  'sweep',
  'dispute',
  'return of a charge',
];
const RARE_POINTS = [
  'continueAttempt',
  'bill',
  'continueCharge',
  'lookUpCharge',
  'tellSubscription',
  'update methodUpdated',
  'start methodChange',
  'cancelAsRequested',
  'giveUpSubscription',
  'lookUpRefund',
  "the rail's lookupRefund",
  'update cancelChange',
  'update scheduleChange',
  'recordChallengeReturned',
  'update completeChallenge',
  'requestCancel',
  'update cancel',
  'start recoverDeliveries',
  'recoverBatch',
  'deliverDue has',
];

/** Those of every flow. */
export const ALL_POINTS: readonly string[] = FLOWS.flatMap(pointsOf);

/** Reached by every run of fifty purchases. */
export const CERTAIN_POINTS: readonly string[] = FLOWS.filter((flow) => !RARE_FLOWS.includes(flow))
  .flatMap(pointsOf)
  .filter((point) => !RARE_POINTS.some((name) => point.startsWith(`${name} `)));
