/** The events that the service sends, described as one operation per event type at the merchant's own URL. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathItemObject } from 'zod-openapi';
import { type DescribedEventType, EVENT_KINDS, eventSchemaOf } from '../webhook/event-catalogue.ts';
import { exampleEvent } from '../webhook/event-examples.ts';

const headers = z.object({
  'Service-Signature': z.string().meta({
    description:
      '`t=<unix seconds>,v1=<64 hex characters>`: HMAC SHA-256 of timestamp, dot and raw body, keyed with the whole ' +
      'secret of the endpoint. Several `v1` parts during a rotation; one must match.',
    example: `t=1790000000,v1=${'0f'.repeat(32)}`,
  }),
  'Service-Event-Id': z.string().meta({ description: 'The id of the event.' }),
  'Service-Delivery-Attempt': z
    .string()
    .regex(/^\d+$/)
    .meta({ description: '1 for the first attempt.', example: '1' }),
});

const RULES =
  'Delivered at least once, in no particular order: the id is the same in every delivery of an event. Verify the signature over ' +
  'the raw body before parsing it, and answer 2xx within 15 seconds.';

export function webhooks(): Record<string, ZodOpenApiPathItemObject> {
  const types = Object.keys(EVENT_KINDS) as DescribedEventType[];
  return Object.fromEntries(types.map((type) => [type, { post: operation(type) }]));
}

function operation(type: DescribedEventType): ZodOpenApiOperationObject {
  const { meaning, action } = EVENT_KINDS[type];
  return {
    operationId: `on${pascalCase(type)}`,
    tags: ['Events'],
    summary: type,
    description: `${meaning}\n\n**What to do:** ${action}\n\n${RULES}`,
    security: [],
    requestParams: { header: headers },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: eventSchemaOf(type).meta({ id: `${pascalCase(type)}Event` }),
          example: exampleEvent(type),
        },
      },
    },
    responses: {
      '2XX': {
        description: 'The event is stored. Any other response, redirects included, leads to a retry.',
      },
      '410': { description: 'Stop sending to this endpoint: it is disabled.' },
    },
  };
}

function pascalCase(type: string): string {
  return type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
