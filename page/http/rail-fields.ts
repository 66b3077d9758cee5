/**
 * Caches each account's public configuration of card fields. The page reads the configuration four times per session;
 * decrypting the credential each time cost 6 % of the API's CPU time under `npm run bench -- purchase`.
 */
import type { Session } from '../../db/session/read/find-session.ts';
import { railCredentialOf } from '../../platform/secrets/places.ts';
import type { RailPublicConfig } from '../../rail/card-fields.ts';
import type { RailAccount } from '../../rail/rail-account.ts';
import type { PageContext } from './context.ts';

/** Maximum number of entries per process; beyond it, the oldest is dropped. */
const MOST = 1_000;

/** Keyed by everything on which the result depends: the credential as encrypted, never in plain text. */
const kept = new WeakMap<PageContext, Map<string, RailPublicConfig>>();

export function fieldsOf(context: PageContext, session: Session, language: string): RailPublicConfig | null {
  const { account, credential, merchant_id, environment, amount, currency } = session;
  const rail = context.rails.get(account.rail);
  if (!rail || !account.capabilities.cardFields) return null;
  const configs = kept.get(context) ?? new Map<string, RailPublicConfig>();
  kept.set(context, configs);
  const sealed = credential.toString('base64');
  const name = JSON.stringify([account, merchant_id, environment, sealed, language, amount, currency]);
  const found = configs.get(name);
  if (found) return found;
  const { origin } = new URL(context.config.api.publicUrl);
  const made = rail.publicConfig(openedAccount(context, session), {
    origin,
    language,
    amountCents: amount,
    currency,
  });
  configs.set(name, made);
  const [oldest] = configs.keys();
  if (configs.size > MOST && oldest !== undefined) configs.delete(oldest);
  return made;
}

export function openedAccount({ secretBox }: PageContext, session: Session): RailAccount {
  const { account, credential, merchant_id: merchantId, environment } = session;
  const opened = JSON.parse(secretBox.open(credential, railCredentialOf(account.id)));
  return { ...account, merchantId, environment, credential: opened };
}
