/** The browser's log-in: authorization code with PKCE, ending in a page with the token. */
import { createHash, randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { IdentityConfig } from './config.ts';
import { problemPage, tokenPage } from './pages.ts';
import { BROWSER_CLIENT, SCOPE } from './provider.ts';

const granted = z.object({ access_token: z.string() });
/** Log-ins in progress; far more than a person starts by hand. */
const MAX_IN_PROGRESS = 100;

export function browserLogIn({ issuer, secret }: Pick<IdentityConfig, 'issuer' | 'secret'>): {
  readonly begin: RequestHandler;
  readonly end: RequestHandler;
} {
  const verifiers = new Map<string, string>();
  const redirectUri = `${issuer}/callback`;

  return {
    begin(_request, response) {
      const state = randomBytes(16).toString('base64url');
      const verifier = randomBytes(32).toString('base64url');
      verifiers.set(state, verifier);
      const [oldest] = verifiers.keys();
      if (verifiers.size > MAX_IN_PROGRESS && oldest) verifiers.delete(oldest);
      const query = new URLSearchParams({
        client_id: BROWSER_CLIENT,
        response_type: 'code',
        redirect_uri: redirectUri,
        state,
        scope: `openid ${SCOPE}`,
        prompt: 'login',
        code_challenge_method: 'S256',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      });
      response.redirect(303, `${issuer}/auth?${query}`);
    },

    async end(request, response) {
      const { state, code } = request.query;
      const verifier = verifiers.get(String(state));
      verifiers.delete(String(state));
      if (!verifier || typeof code !== 'string') {
        response.status(400).send(problemPage('This log-in was not started here, or has expired.'));
        return;
      }
      const answer = await fetch(`${issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
          client_id: BROWSER_CLIENT,
          client_secret: secret,
        }),
      });
      if (!answer.ok) throw new Error(`the token endpoint answered ${answer.status}`);
      response.send(tokenPage(granted.parse(await answer.json()).access_token));
    },
  };
}
