/** Opens hosted sessions of every kind: adds the installation's data to a new session, and starts a stored one. */
import type { CreatedSession } from '../../db/session/create-session.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { hostedUrl } from '../../page/http/urls.ts';
import { createPageToken, openPageToken } from '../../platform/secrets/page-token.ts';
import type { ApiContext } from '../http/context.ts';
import { type Refused, refusedSession } from './refused-session.ts';
import { createStartSession } from './start-session.ts';

/** @param prefix of the token in the URL of the session's page */
export function sessionOpener(context: ApiContext, prefix: Parameters<typeof createPageToken>[1]) {
  const { config, rails, secretBox } = context;
  const startSession = createStartSession(context);
  return {
    common: () => ({
      pageToken: createPageToken(secretBox, prefix),
      maxAttempts: config.session.maxAttempts,
      railNames: [...rails.keys()],
    }),

    /** @throws ApiError for a session that was not created */
    async open<Outcome extends CreatedSession | Refused>(outcome: Outcome, scope: Scope) {
      if (outcome.refusal !== null) throw refusedSession(outcome);
      const created = outcome as Extract<Outcome, CreatedSession>;
      await startSession(created, scope);
      const pageToken = openPageToken(secretBox, created);
      const { id, expires_at: expiresAt } = created;
      return {
        id,
        created,
        pageToken,
        page: { hostedUrl: hostedUrl(config.api.publicUrl, pageToken), expiresAt },
      };
    },
  };
}
