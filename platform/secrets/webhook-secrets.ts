import type { SecretBox } from './encryption.ts';
import { webhookSecretOf } from './places.ts';

interface Sealed {
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
}

/** Opens the secrets that sign an endpoint's events, the current one first. */
export function openWebhookSecrets(
  box: SecretBox,
  endpointId: string,
  { secret, previousSecret }: Sealed,
): readonly string[] {
  const sealed = previousSecret ? [secret, previousSecret] : [secret];
  return sealed.map((each) => box.open(each, webhookSecretOf(endpointId)));
}
