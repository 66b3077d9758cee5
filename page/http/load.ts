/** Reads a session and builds the page's view of it. */
import type { Request } from 'express';
import { findSession, type Session } from '../../db/session/find-session.ts';
import type { RailPublicConfig } from '../../rail/rail.ts';
import { railCredentialOf } from '../../secrets/places.ts';
import { languageOf } from '../document/language.ts';
import { type PageView, toView } from '../document/view.ts';
import type { PageContext } from './context.ts';

export interface Loaded {
  readonly session: Session;
  readonly view: PageView;
}

export type SessionRequest = Request<{ pageToken: string }>;

/** @param claimId of a click that may have been stored before */
export async function load(
  context: PageContext,
  req: SessionRequest,
  claimId: string | null = null,
): Promise<Loaded | null> {
  // Malformed tokens are not found without a query.
  if (!/^[\w-]{1,200}$/.test(req.params.pageToken)) return null;
  const session = await findSession(context.pool, req.params.pageToken, claimId);
  if (!session) return null;
  const language = languageOf(req, session.terms.merchant.branding.language);
  return { session, view: toView(session, fieldsOf(context, session, language)) };
}

function fieldsOf(context: PageContext, session: Session, language: string): RailPublicConfig | null {
  const { account, credential, merchant_id: merchantId, environment } = session;
  const rail = context.rails.get(account.rail);
  if (!rail || !account.capabilities.cardFields) return null;
  return rail.publicConfig(
    {
      ...account,
      merchantId,
      environment,
      credential: JSON.parse(context.secretBox.open(credential, railCredentialOf(account.id))),
    },
    {
      origin: new URL(context.config.api.publicUrl).origin,
      language,
      amountCents: session.amount,
      currency: session.currency,
    },
  );
}
