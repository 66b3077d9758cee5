/** A merchant with endpoints, for tests of events and their delivery. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Db, sql } from '../../../db/core/pool.ts';
import { newWebhookEndpointId } from '../../../db/webhook/webhook-endpoints.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import type { SecretBox } from '../../../platform/secrets/encryption.ts';
import { webhookSecretOf } from '../../../platform/secrets/places.ts';
import { testSecretBox } from './fixtures.ts';

export const secretBox = testSecretBox;

const id = sql.type(z.object({ id: z.string() }));

export async function createMerchant(db: Db): Promise<Scope> {
  const merchantId = await db.oneFirst(id`insert into merchants (name) values ('Shop') returning id`);
  return { merchantId, environment: 'sandbox' };
}

export interface TestEndpoint {
  readonly id: string;
  readonly secret: string;
}

export interface TestEndpointOptions {
  readonly url?: string;
  readonly eventTypes?: readonly string[];
  readonly status?: 'enabled' | 'paused' | 'disabled' | 'deleted';
  /** Encrypts the secret; the worker has to decrypt it with the same key. */
  readonly sealWith?: SecretBox;
}

export async function createEndpoint(
  db: Db,
  scope: Scope,
  options: TestEndpointOptions = {},
): Promise<TestEndpoint> {
  const {
    url = 'https://shop.example/hooks',
    eventTypes = null,
    status = 'enabled',
    sealWith = secretBox,
  } = options;
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const endpointId = await newWebhookEndpointId(db);
  const sealed = sealWith.seal(secret, webhookSecretOf(endpointId));
  await db.query(sql.unsafe`
    insert into webhook_endpoints (id, merchant_id, environment, url, event_types, secret, status)
    values (${endpointId}, ${scope.merchantId}, ${scope.environment}, ${url},
      ${eventTypes && sql.array([...eventTypes], 'text')}, ${sql.binary(sealed)}, ${status})`);
  return { id: endpointId, secret };
}
