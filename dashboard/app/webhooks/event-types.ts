import type { Operations } from '../api/description.ts';
import { words } from '../words/words.ts';

type Accepted = NonNullable<NonNullable<Operations['createWebhookEndpoint']['body']['event_types']>[number]>;
/** Event types to filter by. A test event is not one of them: it reaches its endpoint regardless of the filter. */
type EventType = Exclude<Accepted, 'webhook.test'>;

/** The compiler rejects an API type without a text. */
const NAMED: Readonly<Record<EventType, string>> = words.subscriptions.happened;

/** The types in the order of their labels, those most useful to a merchant first. */
export const EVENT_TYPES = Object.keys(NAMED) as readonly EventType[];

export type { EventType };
