/** Fields shared by several kinds of resource. Absent values are null, never omitted. */
import { z } from 'zod';

/**
 * Any JSON value, already parsed. Not `z.json()`, whose recursive schema breaks generated clients: code generators
 * refuse it or drop the models that contain it.
 */
export const anyJson = z.unknown();

export const instant = z.iso.datetime().meta({ description: 'UTC, with milliseconds.' });
export const cents = z.int().nonnegative().meta({ description: 'Integer cents.' });
export const currency = z.string().length(3).meta({ example: 'EUR' });

export const paymentMethod = z
  .object({ type: z.string(), brand: z.string().nullable(), last4: z.string().nullable() })
  .meta({ id: 'PaymentMethod' });
