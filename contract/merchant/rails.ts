/** The installation's card processors for which accounts can be set. */
import { z } from 'zod';
import { listOf } from '../core/answers.ts';

const settableRail = z
  .object({
    name: z.string(),
    credential_fields: z.array(
      z
        .object({ name: z.string(), description: z.string() })
        .meta({ id: 'RailCredentialField', description: 'A member of `credential`.' }),
    ),
  })
  .meta({ id: 'SettableRail' });

const exampleSettableRail = {
  name: 'stripe',
  credential_fields: [{ name: 'secretKey', description: 'a secret or restricted key (sk_…, rk_…)' }],
};

export const settableRailList = listOf(settableRail, exampleSettableRail);
