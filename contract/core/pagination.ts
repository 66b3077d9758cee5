/** Paginated lists, newest first. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { givenInstant } from './fields.ts';
import { requiredText } from './text.ts';

export const environmentOnly = z.object({
  environment: z
    .enum(ENVIRONMENTS)
    .optional()
    .meta({ description: 'Required for people; an API key determines its own.' }),
});

/** The filter of a merchant's lists that show both environments to people. */
export const bothEnvironments = z.object({
  environment: z
    .enum(ENVIRONMENTS)
    .optional()
    .meta({ description: 'If absent, both environments; for a key, its own.' }),
});

export const pageQuery = environmentOnly.extend({
  q: requiredText(200)
    .optional()
    .meta({
      description:
        'An exact id, reference or amount; at least three consecutive characters of an email address or a name, or the first two of a word of the name (the 100 newest matching buyers); the last four digits of a card, alone or with the brand, an amount or both (`Visa 4242 19.00`), for payments; ' +
        'a part of the number, for invoices and credit notes.',
    }),
  cursor: requiredText(300).optional().meta({ description: 'next_cursor of the previous page.' }),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});

/** A period of a list. */
export const period = {
  from: givenInstant.optional(),
  to: givenInstant.optional().meta({ description: 'Exclusive.' }),
};

/** Parameters of a search that can be limited to a period. */
export const periodQuery = pageQuery.extend(period);

/** Parameters of a list ordered by the rows' own dates, without a search term. */
export const datedQuery = pageQuery.omit({ q: true }).extend(period);
