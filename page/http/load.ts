/** Reads a session with the page's view of it, and sends updates to its workflow. */
import type { UpdateDefinition } from '@temporalio/common';
import type { Request } from 'express';
import type { Pool } from '../../db/core/pool.ts';
import type { Counted } from '../../db/session/card-declines.ts';
import { findSession, type Session } from '../../db/session/read/find-session.ts';
import { type Sent, sendUpdate } from '../../platform/temporal/send.ts';
import { choosePageLanguage, type PageLanguage } from '../document/language.ts';
import { type PageView, toView } from '../document/view.ts';
import { raiseClickPriority } from './click-priority.ts';
import type { PageContext } from './context.ts';
import { KnownIds } from './known-ids.ts';
import { fieldsOf } from './rail-fields.ts';

/** Time for the workflow to store the attempt; p50 is 27 ms. */
const UPDATE_DEADLINE_MS = 8_000;

export interface Loaded {
  readonly session: Session;
  readonly view: PageView;
  readonly pageLanguage: PageLanguage;
  /** The pool of the session's environment. */
  readonly pool: Pool;
}

/**
 * Known page tokens of the sandbox: from its second request on, a sandbox session uses the sandbox pool (rule 37).
 */
const sandboxTokens = new KnownIds();

export type SessionRequest = Request<{ pageToken: string }>;

/** @param claimId id of a click that may already be stored */
export async function load(
  context: PageContext,
  req: SessionRequest,
  claimId: string | null = null,
  counted: Counted | null = null,
): Promise<Loaded | null> {
  // Malformed tokens are rejected without a query.
  if (!/^[\w-]{1,200}$/.test(req.params.pageToken)) return null;
  const { pageToken } = req.params;
  const { pool, sandboxPool = pool } = context;
  const session = await findSession(
    sandboxTokens.has(pageToken) ? sandboxPool : pool,
    pageToken,
    claimId,
    counted,
  );
  if (!session) return null;
  const isOfSandbox = session.environment === 'sandbox';
  if (isOfSandbox) sandboxTokens.add(pageToken);
  const pageLanguage = choosePageLanguage(req, {
    locale: session.locale,
    merchantLanguage: session.terms.merchant.branding.language ?? null,
  });
  return {
    session,
    pageLanguage,
    view: toView(session, fieldsOf(context, session, pageLanguage.language), context.config.api.publicUrl),
    pool: isOfSandbox ? sandboxPool : pool,
  };
}

/** @param notNeeded aborting ends the wait, not the update */
export async function updateSession<Answer, Args extends [unknown]>(
  context: PageContext,
  session: Session,
  update: UpdateDefinition<Answer, Args>,
  message: { readonly args: Args; readonly updateId: string },
  notNeeded?: AbortSignal,
): Promise<Sent<Answer>> {
  const { pool, temporal, config, logger, updateDeadlineMs = UPDATE_DEADLINE_MS } = context;
  await raiseClickPriority(context, session);
  const deps = { pool, client: temporal, session: config.session, logger };
  return sendUpdate(deps, session.id, update, message, updateDeadlineMs, notNeeded);
}
