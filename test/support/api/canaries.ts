/** Secrets that must not appear in any log line or response. */
import { RAIL_CREDENTIAL, TEST_PEPPER, TEST_SECRETS_KEY } from '../db/fixtures.ts';

const SECRETS: Readonly<Record<string, RegExp>> = {
  'an API key': /ap_(test|live)_[0-9a-f]{72}/,
  'a webhook secret': /whsec_[A-Za-z0-9+/]{32,}/,
  'the pepper of the API keys': literally(TEST_PEPPER),
  'the key of the secrets': literally(TEST_SECRETS_KEY),
  'the credential of a rail account': literally(RAIL_CREDENTIAL),
  'a card number': /4242424242424242|5555555555554444|4000000000000002/,
};

/** Operations that show a new secret once. */
const SHOWN_ONCE: Readonly<Record<string, string>> = {
  createMerchant: 'an API key',
  createApiKey: 'an API key',
  rotateApiKey: 'an API key',
  createWebhookEndpoint: 'a webhook secret',
  rotateWebhookEndpointSecret: 'a webhook secret',
};

/** @returns the names of the secrets in a text */
export function secretsIn(text: string, operationId = ''): readonly string[] {
  return Object.entries(SECRETS)
    .filter(([name, pattern]) => pattern.test(text) && SHOWN_ONCE[operationId] !== name)
    .map(([name]) => name);
}

function literally(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
