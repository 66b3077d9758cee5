/** Events that are lost, sent twice or wrong. */
import { type Copy, first, type Planted } from './copy.ts';

const event = (copy: Copy, type: string) => first(copy.received, (each) => each.type === type);
const without = (copy: Copy, type: string) => {
  const { eventId } = event(copy, type);
  copy.received = copy.received.filter((each) => each.eventId !== eventId);
};

const isUpdateOf = (id: string, { type, rawBody }: Copy['received'][number]) =>
  type === 'subscription.updated' && rawBody.includes(`"id":"${id}"`);
const isTold = (copy: Copy, id: string) => copy.received.some((each) => isUpdateOf(id, each));

export const EVENTS: readonly Planted[] = [
  ...['payment.succeeded', 'refund.created', 'invoice.created', 'subscription.created'].map(
    (type): Planted => [
      `a dropped ${type}`,
      'every event reaches its endpoint',
      (copy) => without(copy, type),
    ],
  ),
  [
    'an event that was never acknowledged',
    'every event reaches its endpoint',
    (copy) => {
      const { eventId } = event(copy, 'payment.succeeded');
      for (const each of copy.received) if (each.eventId === eventId) each.answered = 500;
    },
  ],
  [
    'a second body under one id',
    'an event has one body',
    (copy) => {
      const one = event(copy, 'payment.succeeded');
      copy.received.push({ ...one, rawBody: one.rawBody.replace('"occurred_at"', '"occurred"') });
    },
  ],
  [
    'a second event about one change',
    'a state change has one event',
    (copy) => void copy.received.push({ ...event(copy, 'payment.succeeded'), eventId: 'evt_second' }),
  ],
  [
    'a signature that does not verify',
    'every delivery is signed',
    (copy) => {
      event(copy, 'payment.succeeded').isSigned = false;
    },
  ],
  [
    'a failure reported for a paid payment',
    'an event matches the lists',
    (copy) => {
      const one = event(copy, 'payment.succeeded');
      copy.received.push({ ...one, eventId: 'evt_lie', type: 'payment.failed' });
    },
  ],

  ...['subscription.updated', 'invoice.payment_failed', 'payment_method.updated'].map(
    (type): Planted => [
      `a dropped ${type}`,
      'every event reaches its endpoint',
      (copy) => without(copy, type),
    ],
  ),
  [
    'a failed renewal without its event, in the log as well',
    'every event reaches its endpoint',
    (copy) => {
      const { eventId } = event(copy, 'invoice.payment_failed');
      without(copy, 'invoice.payment_failed');
      copy.events = copy.events.filter(({ id }) => id !== eventId);
    },
  ],
  [
    'a renewal without its event, in the log as well',
    'every event reaches its endpoint',
    (copy) => {
      const renewed = first(copy.subscriptions, ({ id, status }) => status === 'active' && isTold(copy, id));
      const forgotten = copy.received
        .filter((each) => isUpdateOf(renewed.id, each))
        .map((each) => each.eventId);
      copy.received = copy.received.filter(({ eventId }) => !forgotten.includes(eventId));
      copy.events = copy.events.filter(({ id }) => !forgotten.includes(id));
    },
  ],
  ['an event missing from the log', 'an event matches the lists', (copy) => void copy.events.shift()],
];
