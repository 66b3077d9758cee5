/**
 * The documentation of a route. The API description is built from these objects and from the schemas that validate
 * requests; errors common to a kind of route are in `common-errors.ts` and not repeated here.
 */
import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** Tags in the order of the reference at /docs. */
export const TAGS = {
  Checkouts: 'Hosted checkout sessions, created by a merchant’s server or by a storefront’s browser.',
  Billing: 'Products, orders, payments, subscriptions and invoices, each as the full list, newest first.',
  Subscriptions: 'Cancel, change plan or offering, replace the payment method.',
  Refunds: 'Refund a payment, in full or in part.',
  'Manual charges and invoice settings':
    'Two routes that do less than their names suggest: read the warnings.',
  Merchants: 'Merchants, their capabilities and branding, and the audit log.',
  'API keys': 'Keys for a merchant’s servers, each for one environment.',
  Catalogue: 'What a merchant sells: products with their prices, grouped into offerings, and coupons.',
  'Storefront clients': 'Who may sell from a browser: public identifiers, origins and products.',
  'Rail accounts': 'A merchant’s accounts at card processors.',
  'Webhook endpoints': 'Where events are sent, how they are signed, and which endpoints are paused.',
  'Webhook log': 'Sent events, the receivers’ responses, and resending.',
  Dashboard: 'Routes behind the dashboard: search, single objects with their history, counters, exports.',
  Mirrors: 'The billing lists for people, read-only.',
  Operations: 'Operators’ view and actions: incidents, explanations of any id, commands.',
  Operation: 'Health, and webhooks of card processors.',
} as const satisfies Record<string, string>;
type Tag = keyof typeof TAGS;

/**
 * Who may call a route: a merchant's server, a person with a token of the identity provider, either of the two, a
 * storefront's browser (public identifier and Origin), the CORS preflight before it (the same two), or anyone.
 */
export type Security = 'apiKey' | 'person' | 'apiKeyOrPerson' | 'storefront' | 'preflight' | 'none';

/** Who may call an operation; derived from the route's gate if it has one. */
export interface Callers {
  readonly security: Security;
  /** Open to API keys of the scope `catalogue`; other operations are not. */
  readonly catalogue?: true;
}

export interface OperationDescription {
  /** camelCase and unique: generated clients name their methods after it. */
  readonly operationId: string;
  readonly tag: Tag;
  /** A few words without a full stop. */
  readonly summary: string;
  /** Markdown: effects, limits and next steps. */
  readonly description: string;
  /** Path parameters that are not ids of this service. */
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers besides Authorization and Idempotency-Key, which follow from `security` and `idempotencyKey`. */
  readonly headers?: z.ZodObject;
  /** If absent, the route ignores the header. */
  readonly idempotencyKey?: 'required' | 'optional';
  readonly body?: BodyDescription;
  /** The successful responses by status. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** Errors specific to this route, in addition to those common to its kind. */
  readonly errors?: readonly ErrorCode[];
  /** The code of this route's internal failures: `checkout_failed`, 500 or 503. */
  readonly failureCode?: 'checkout_failed';
}

export type DescribedOperation = OperationDescription & Callers;

interface BodyDescription {
  /** The schema that the route validates with. */
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** False if no field is required: a missing body then counts as `{}`. */
  readonly required: boolean;
  /** Default: application/json. */
  readonly contentType?: string;
}

export interface AnswerDescription {
  /** One sentence. */
  readonly description: string;
  /** Absent if the response has no body. */
  readonly schema?: z.ZodType;
  readonly example?: unknown;
  /** Default: application/json. */
  readonly contentType?: string;
  /** Headers besides those of every response. */
  readonly headers?: z.ZodObject;
  /** Operations that take an id from this response. */
  readonly links?: readonly AnswerLink[];
}

interface AnswerLink {
  readonly operationId: string;
  /** Values for the linked operation's parameters: `{ id: '$response.body#/id' }`. */
  readonly parameters?: Readonly<Record<string, string>>;
}
