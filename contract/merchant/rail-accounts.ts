/** A merchant's accounts at card processors, set by people with the role `platform`. Credentials are write-only. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { WALLETS } from '../../domain/payment/payment-method.ts';
import { RAIL_FINDINGS } from '../../domain/payment/rail-finding.ts';
import { listOf, single } from '../core/answers.ts';
import { keepingEveryKey, requiredText } from '../core/text.ts';

const instant = z.iso.datetime();
const environment = z.enum(ENVIRONMENTS);

/** The capabilities as stored, and as the API returns them. */
export const railCapabilities = z
  .object({
    cardFields: z.boolean(),
    recurring: z.boolean(),
    wallets: z.array(z.enum(WALLETS)),
    refunds: z.boolean(),
    currencies: z.array(z.string()),
  })
  .meta({
    id: 'RailCapabilities',
    description: 'The account’s capabilities when the processor was last asked.',
  });

export const railAccount = z
  .object({
    id: z.string(),
    merchant_id: z.string(),
    environment,
    rail: z.string().meta({ example: 'stripe' }),
    status: z.enum(['activating', 'active', 'disabled']).meta({
      description: 'activating: cannot take payments yet. disabled: replaced, or rejected by its processor.',
    }),
    capabilities: railCapabilities,
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'RailAccount' });
export type RailAccountResource = z.infer<typeof railAccount>;

export const railAccountToSet = z
  .object({
    environment,
    rail: requiredText(40),
    credential: keepingEveryKey(
      z.record(requiredText(60), requiredText(500)).meta({
        description:
          'Depend on the rail; stripe: secretKey, publishableKey, webhookSecret. Absent ones stay unchanged.',
      }),
    ),
    replace: z.boolean().default(false).meta({
      description: 'Replace the active account, which is then disabled.',
    }),
  })
  .meta({ id: 'RailAccountToSet' });

export const railAccountCheck = z
  .object({
    apply: z.boolean().default(false).meta({
      description: 'Also store the capabilities found. An activating account is activated either way.',
    }),
  })
  .meta({ id: 'RailAccountCheck' });

const probe = z.object({
  usable: z.boolean().meta({ description: 'Whether it can take cards now, in at least one currency.' }),
  findings: z
    .array(
      z
        .object({
          ok: z.boolean(),
          code: z.enum(RAIL_FINDINGS),
          values: z.record(z.string(), z.string()).meta({
            description:
              'Values used in the sentence; `why` is a reason code, or the processor’s own message.',
          }),
          text: z.string().meta({ description: 'In English.' }),
        })
        .meta({ id: 'RailFinding' }),
    )
    .meta({ description: 'Its capabilities, and the reason for each missing one, as sentences.' }),
});

const exampleRailAccount: RailAccountResource = {
  id: 'ap_rac_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  merchant_id: 'ap_mer_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  environment: 'sandbox',
  rail: 'stripe',
  status: 'active',
  capabilities: { cardFields: true, recurring: true, wallets: [], refunds: true, currencies: ['EUR'] },
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
};
const exampleProbedRailAccount: RailAccountResource & z.infer<typeof probe> = {
  ...exampleRailAccount,
  usable: true,
  findings: [
    { ok: true, code: 'currency_taken', values: { currency: 'EUR' }, text: 'It takes cards in EUR.' },
  ],
};

export const railAccountListAnswer = listOf(railAccount, exampleRailAccount);
export const probedRailAccountAnswer = single(
  railAccount.extend(probe.shape),
  exampleProbedRailAccount,
  'ProbedRailAccountAnswer',
);
