/** Examples of query parameters. */
import { z } from 'zod';
import { BEGUN, ENDS, EXAMPLE_MERCHANT_ID, UNIQUE } from '../core/examples.ts';

/** Keyed by parameter name; operations share them. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  environment: 'sandbox',
  q: 'ada@example.org',
  cursor:
    'WyIyMDI2LTAxLTMxVDA5OjMwOjAwLjAwMDAwMFoiLCJhcF9wYXlfMDE5YTNjMWM1YTBlN2M3YWIxZjJkM2U0ZjVhNmI3YzgiXQ',
  limit: 25,
  from: BEGUN,
  to: ENDS,
  type: 'payment.succeeded',
  endpoint_id: `ap_whe_${UNIQUE}`,
  event_id: `evt_${UNIQUE}`,
  merchant_id: EXAMPLE_MERCHANT_ID,
  offering_id: `ap_off_${UNIQUE}`,
  subject_id: `ap_prod_${UNIQUE}`,
  id: `ap_pay_${UNIQUE}`,
  storefront_client_id: `ap_pcl_${UNIQUE}`,
  actor: 'person:ada@harbour-coffee.example',
  min_amount: 1_900,
  older_than_seconds: 3_600,
  time_zone: 'Europe/Berlin',
  name: 'Harbour Coffee',
  logo_url: 'https://shop.example/logo.svg',
  color: '#0f766e',
  language: 'de',
  origin: 'https://pay.example.org',
};

/** @returns the parameters, each with an example: its own, else the shared one, else the first of its values */
export function withExamples(query: z.ZodObject): z.ZodObject {
  const shape = Object.entries(query.shape as Record<string, z.ZodType>);
  return z.object(
    Object.fromEntries(
      shape.map(([name, schema]) => {
        const meta = schema.meta();
        const example = meta?.example ?? EXAMPLES[name] ?? firstValueOf(schema);
        return [name, example === undefined ? schema : schema.meta({ ...meta, example })];
      }),
    ),
  );
}

function firstValueOf(schema: z.ZodType): unknown {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodEnum ? inner.options[0] : undefined;
}
