/** API keys as people manage them. Only the response that creates a key contains the key. */
import { z } from 'zod';
import { API_KEY_SCOPES } from '../../domain/core/api-key-scope.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { listOf, single } from '../core/answers.ts';
import { rule } from '../core/faults.ts';
import { givenInstant } from '../core/fields.ts';
import { requiredText } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';

/** Maximum number of active keys per environment: few enough for a person to review. */
export const MAX_API_KEYS = 20;
const DEFAULT_OVERLAP_HOURS = 24;
const instant = z.iso.datetime();
const environment = z.enum(ENVIRONMENTS);
const name = requiredText(100).refine((text) => text.trim() !== '', rule('required', 'must not be blank'));
const scope = z.enum(API_KEY_SCOPES).meta({
  description:
    '`all`: everything that a shop’s server needs; it reads the catalogue, but cannot change it. `read`: GET requests only. ' +
    '`catalogue`: reads and changes products, prices and offerings, and nothing else. Otherwise the response is 403 ' +
    '`api_key_scope_insufficient`.',
});

export const apiKey = z
  .object({
    id: z.string(),
    merchant_id: z.string(),
    environment,
    prefix: z.enum(['ap_test_', 'ap_live_']),
    last4: z.string().meta({ description: 'The last four characters of the key.' }),
    name: z.string(),
    scope,
    created_by: z
      .string()
      .nullable()
      .meta({ description: 'Who created it, as in the audit log; null if unknown.' }),
    created_at: instant,
    expires_at: instant.nullable().meta({
      description: 'The chosen expiry, or the end of a rotation’s overlap if that is earlier.',
    }),
    last_used_at: instant.nullable().meta({ description: 'Accurate to the minute.' }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof apiKey>;

export const apiKeyWithSecret = apiKey
  .extend({
    key: z.string().meta({ description: 'The key itself. It is stored as a hash and never shown again.' }),
  })
  .meta({ id: 'ApiKeyWithSecret' });

export const newApiKey = z
  .object({
    environment,
    name: name.meta({
      description: 'What the key is for: a server, a script, a person.',
      example: 'Web shop',
    }),
    scope: scope.default('all'),
    expires_at: givenInstant
      .refine((at) => Date.parse(at) > Date.now(), rule('too_early', 'must be in the future'))
      .optional()
      .meta({ description: 'From this time on, the response is 401 `api_key_invalid`. If absent, never.' }),
  })
  .meta({ id: 'ApiKeyRequest', ...CLOSED });

export const apiKeyRotation = z
  .object({
    overlap_hours: z
      .int()
      .min(0)
      .max(168)
      .default(DEFAULT_OVERLAP_HOURS)
      .meta({ description: 'How long the previous key stays valid. 0 revokes it at once.' }),
  })
  .meta({ id: 'ApiKeyRotation', ...CLOSED });

const replaces = z
  .object({ id: z.string(), expires_at: instant })
  .meta({ id: 'ReplacedApiKey', description: 'The previous key.' });
export const revokedApiKeyAnswer = z
  .object({ id: z.string(), revoked: z.literal(true), request_id: z.string() })
  .meta({ id: 'RevokedApiKeyAnswer' });

export const exampleApiKey: z.infer<typeof apiKeyWithSecret> = {
  id: 'ap_key_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  merchant_id: 'ap_mer_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  environment: 'sandbox',
  prefix: 'ap_test_',
  last4: '7f02',
  name: 'Web shop',
  scope: 'all',
  created_by: 'person:ada@harbour-coffee.example',
  created_at: '2026-01-31T09:30:00.000Z',
  expires_at: null,
  last_used_at: null,
  key: 'ap_test_<64 hexadecimal digits><checksum>',
};

const { key: _, ...exampleListedApiKey } = exampleApiKey;
export const apiKeyListAnswer = listOf(apiKey, exampleListedApiKey);
export const createdApiKeyAnswer = single(apiKeyWithSecret, exampleApiKey, 'CreatedApiKeyAnswer');
export const rotatedApiKeyAnswer = single(
  apiKeyWithSecret.extend({ replaces }),
  {
    ...exampleApiKey,
    replaces: { id: 'ap_key_019a3b00000e7c7ab1f2d3e4f5a6b7c8', expires_at: '2026-02-01T09:30:00.000Z' },
  },
  'RotatedApiKeyAnswer',
);
