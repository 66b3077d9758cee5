/** Recognises an idle run of `reconcile` that is ahead of a restored history by its newest events (rule 45). */
import { type Events, isTaskAhead } from './newest-events.ts';

type Attribute = keyof Events[number];

const WAKES: readonly Attribute[] = ['timerFiredEventAttributes', 'workflowExecutionSignaledEventAttributes'];
const ASKS: Attribute = 'activityTaskScheduledEventAttributes';
const SLEEPS: Attribute = 'timerStartedEventAttributes';
const ENDS: readonly Attribute[] = [
  'activityTaskCompletedEventAttributes',
  'activityTaskFailedEventAttributes',
  'activityTaskTimedOutEventAttributes',
];

/**
 * A healthy run asks the rail in an activity whenever it wakes, and sleeps after that. One that is ahead repeats a
 * command of the lost interval, such as its last timer of up to a day, or does nothing.
 * @param newestFirst of a run that was seen idle
 */
export function isReturnAhead(newestFirst: Events): boolean {
  if (isTaskAhead(newestFirst)) return false;
  const wokeOrAsked = newestOf(newestFirst, [...WAKES, ASKS]);
  const last = newestOf(newestFirst, [...WAKES, ASKS, SLEEPS, ...ENDS]);
  if (!wokeOrAsked || !last) return false;
  return wokeOrAsked !== ASKS || ![ASKS, SLEEPS].includes(last);
}

function newestOf(newestFirst: Events, kinds: readonly Attribute[]): Attribute | undefined {
  for (const event of newestFirst) {
    const kind = kinds.find((each) => event[each]);
    if (kind) return kind;
  }
  return undefined;
}
