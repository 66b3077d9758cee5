/** A requested command that waits for a second person. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { operatorCommand } from './commands.ts';

/**
 * A request for another account at the rail, or for other keys, for a merchant's production sales. Confirming the
 * request stores no keys: the person who has exactly these keys then sets the account again.
 */
const replaceRail = z.object({
  command: z.literal('replace_rail'),
  rail: z.string(),
  identity: z.string(),
  /** Keyed hash of all of the account's keys as they will be stored. */
  keys: z.string(),
  reason: z.string(),
});
export type ReplaceRail = z.infer<typeof replaceRail>;

export const storedCommand = z.discriminatedUnion('command', [...operatorCommand.options, replaceRail]);

export const operatorRequest = z
  .object({
    id: z.string(),
    subject_id: z.string().meta({ description: 'The subject of the command.' }),
    /** Any string, because the request may come from a release with other commands. */
    command: z.string().meta({ example: 'resolve' }),
    outcome: z.string().nullable().meta({ description: '`succeeded` or `failed`, `won` or `lost`.' }),
    reason: z.string().nullable(),
    evidence: z.string().nullable(),
    environment: z.enum(ENVIRONMENTS).nullable(),
    amount: z.int().meta({ description: 'Cents.' }),
    currency: z.string().nullable(),
    payment_id: z
      .string()
      .nullable()
      .meta({ description: 'The charge that was open when the command was requested.' }),
    asked_by: z.string(),
    asked_at: z.iso.datetime(),
    confirmed_by: z.string().nullable(),
  })
  .meta({ id: 'OperatorRequest' });
export type OperatorRequest = z.infer<typeof operatorRequest>;
