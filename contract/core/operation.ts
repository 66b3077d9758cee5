/**
 * How a route is documented. The API description is made of these and of the schemas that validate the requests;
 * what every route of a kind can answer is in `common-errors.ts`, and not repeated here.
 */
import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** In the order of the reference at /docs. */
export const TAGS = {
  Checkouts: 'Hosted checkout sessions: from a merchant’s server, or from the browser of a storefront.',
  Billing: 'Products, orders, payments, subscriptions and invoices, each as the full set, newest first.',
  Subscriptions: 'Cancel, change plan or offering, replace the payment method.',
  Refunds: 'Give back a payment, in full or in part.',
  'Manual charges and invoice settings':
    'Two routes that do less than their names promise: read the warnings.',
  Merchants: 'Merchants, their capabilities, their branding, and the audit of every change.',
  'API keys': 'Keys of a merchant’s servers, each for one environment.',
  Catalogue: 'What a merchant sells: products with their prices, grouped into offerings.',
  'Storefront clients': 'Who may sell from a browser: public identifiers, origins and products.',
  'Rail accounts': 'A merchant’s accounts at card processors.',
  'Webhook endpoints': 'Where events are sent, with which secret, and what is paused.',
  'Webhook log': 'What was sent, what the receiver answered, and sending it again.',
  Mirrors: 'The billing lists once more, read-only, for people.',
  Operation: 'Health, and news from card processors.',
} as const satisfies Record<string, string>;
export type Tag = keyof typeof TAGS;

/**
 * Who may call: a merchant's server, a person with a token of the identity provider, either of the two, the browser
 * of a storefront (public identifier and Origin; a preflight has nothing else), or anybody.
 */
export type Security = 'apiKey' | 'person' | 'apiKeyOrPerson' | 'storefront' | 'preflight' | 'none';

export interface OperationDescription {
  /** camelCase, and unique: generated clients name their methods after it. */
  readonly operationId: string;
  readonly tag: Tag;
  /** A few words, with no full stop. */
  readonly summary: string;
  /** Markdown: what it does, what it does not do, and what comes next. */
  readonly description: string;
  readonly security: Security;
  /** One member for each `:name` of the path. */
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Besides Authorization and Idempotency-Key, which `security` and `idempotencyKey` stand for. */
  readonly headers?: z.ZodObject;
  /** Absent: the header has no meaning here. */
  readonly idempotencyKey?: 'required' | 'optional';
  readonly body?: BodyDescription;
  /** What it answers when it does what it was asked for, by status. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** The refusals of this route; those of every route of its kind are added. */
  readonly errors: readonly ErrorCode[];
  /** What a failure of the service itself is called here: `checkout_failed`, 500 or 503. */
  readonly failureCode?: 'checkout_failed';
}

export interface BodyDescription {
  /** The very schema that the route validates with. */
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** False where no field is required: then no body counts as `{}`. */
  readonly required: boolean;
  /** Absent: application/json. */
  readonly contentType?: string;
}

export interface AnswerDescription {
  /** One sentence. */
  readonly description: string;
  /** Absent: an answer without a body. */
  readonly schema?: z.ZodType;
  readonly example?: unknown;
  /** Absent: application/json. */
  readonly contentType?: string;
  /** Headers besides those of every answer. */
  readonly headers?: z.ZodObject;
  /** Operations that take an id out of this answer. */
  readonly links?: readonly AnswerLink[];
}

export interface AnswerLink {
  readonly operationId: string;
  /** Of that operation, by name: `{ id: '$response.body#/id' }`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Members of its body: `{ paymentId: '$response.body#/payment_id' }`. */
  readonly body?: Readonly<Record<string, string>>;
}
