/** The credential of a Stripe account, which the service stores encrypted. */
import { z } from 'zod';
import type { RailFinding, RailFindingCode } from '../../../domain/payment/rail-finding.ts';
import type { RailAccount, RailCredentialField } from '../../rail-account.ts';

export const CREDENTIAL_FIELDS: readonly RailCredentialField[] = [
  {
    name: 'secretKey',
    environmentVariable: 'STRIPE_SECRET_KEY',
    description: 'secret or restricted key, sk_test_… or sk_live_… (rk_…)',
  },
  {
    name: 'publishableKey',
    environmentVariable: 'STRIPE_PUBLISHABLE_KEY',
    description: 'publishable key of the same account and mode, pk_test_… or pk_live_…',
  },
  {
    name: 'webhookSecret',
    environmentVariable: 'STRIPE_WEBHOOK_SECRET',
    description: 'signing secret of the webhook endpoint, whsec_…; may come later',
  },
];

const schema = z.object({
  secretKey: z.string().regex(/^[sr]k_(test|live)_\w+$/),
  publishableKey: z.string().regex(/^pk_(test|live)_\w+$/),
  /** Absent until the webhook endpoint exists: its URL contains this account's id. */
  webhookSecret: z
    .string()
    .regex(/^whsec_\S+$/)
    .optional(),
});
export type StripeCredential = z.infer<typeof schema>;

/** @returns null for a credential that is malformed or of the wrong mode, which is a configuration error */
export function credentialOf({ credential, environment }: RailAccount): StripeCredential | null {
  const parsed = schema.safeParse(credential).data;
  if (!parsed) return null;
  const mode = environment === 'production' ? '_live_' : '_test_';
  return [parsed.secretKey, parsed.publishableKey].every((key) => key.includes(mode)) ? parsed : null;
}

/** Describes what is wrong with the credential, without any part of a secret; empty if it is valid. */
export function complaintsAbout({ credential, environment }: RailAccount): readonly RailFinding[] {
  const mode = environment === 'production' ? 'live' : 'test';
  const complaint = (code: RailFindingCode, field: string, text: string) => [
    { ok: false, code, values: { field }, text },
  ];
  return CREDENTIAL_FIELDS.flatMap(({ name, environmentVariable }) => {
    const value = credential[name];
    if (!schema.shape[name as keyof StripeCredential].safeParse(value).success) {
      return complaint('credential_incomplete', name, `${environmentVariable} is missing or malformed.`);
    }
    const wrongMode = name !== 'webhookSecret' && !value?.includes(`_${mode}_`);
    if (!wrongMode) return [];
    const text = `${environmentVariable} is not a ${mode} key, which ${environment} needs.`;
    return complaint('credential_wrong_mode', name, text);
  });
}
