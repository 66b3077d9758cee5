/**
 * The OpenID Connect provider: `oidc-provider` with accounts instead of passwords. Three kinds of clients:
 * `dashboard`, `cli` and `browser` for people (authorization code with PKCE), and one per configured account, with the
 * account's id, for scripts (client credentials). Access tokens are JWTs for the service and live for a day.
 */

import Provider, { type Context, type Token } from 'oidc-provider';
import type { Logger } from 'pino';
import { type Accounts, claimsOf } from './accounts.ts';
import type { IdentityConfig } from './config.ts';

export const BROWSER_CLIENT = 'browser';
const DASHBOARD_CLIENT = 'dashboard';
const CLI_CLIENT = 'cli';
/** The requested scope; the service ignores it, since roles decide. */
export const SCOPE = 'merchants';
const DAY_SECONDS = 86_400;

export function createProvider(
  config: Omit<IdentityConfig, 'logLevel'>,
  accounts: Accounts,
  logger: Logger,
): Provider {
  const { issuer, audience, secret, key, dashboardUrl } = config;
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [secret] },
    clients: [
      {
        client_id: BROWSER_CLIENT,
        client_secret: secret,
        redirect_uris: [`${issuer}/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
      {
        client_id: CLI_CLIENT,
        // A native client may use any port of the loopback address (RFC 8252).
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/signed-in'],
      },
      ...(dashboardUrl ? [dashboardClient(dashboardUrl)] : []),
      ...config.accounts.map(({ id }) => ({
        client_id: id,
        client_secret: secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
      })),
    ],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: SCOPE,
          accessTokenFormat: 'jwt',
          accessTokenTTL: DAY_SECONDS,
        }),
      },
    },
    clientBasedCORS: (_context: Context, origin: string) =>
      dashboardUrl !== undefined && origin === new URL(dashboardUrl).origin,
    // A refresh token lets a dashboard page renew its access token without a frame. It is kept in memory only.
    issueRefreshToken: (_context: Context, client: { readonly clientId: string }) =>
      client.clientId === DASHBOARD_CLIENT,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    interactions: { url: (_context: Context, { uid }: { uid: string }) => `/log-in/${uid}` },
    findAccount: (_context: Context, id: string) =>
      accounts.find(id) && { accountId: id, claims: () => ({ sub: id }) },
    extraTokenClaims: (_context: Context, { accountId, clientId }: Token) => {
      const account = accounts.find(accountId ?? clientId ?? '');
      return account && claimsOf(account);
    },
    loadExistingGrant: grantAll(audience),
    ttl: {
      AccessToken: DAY_SECONDS,
      ClientCredentials: DAY_SECONDS,
      Grant: DAY_SECONDS,
      Session: DAY_SECONDS,
      IdToken: 3_600,
      Interaction: 3_600,
    },
  });
  provider.on('server_error', (_context, error) => logger.error({ err: error }, 'identity provider failed'));
  return provider;
}

/** The dashboard: a public client, because a browser keeps no secret. */
function dashboardClient(url: string) {
  return {
    client_id: DASHBOARD_CLIENT,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [`${url}/signed-in`],
    post_logout_redirect_uris: [`${url}/signed-out`],
  };
}

/** Grants without a consent page: the only browser client is our own. */
function grantAll(audience: string) {
  return async ({ oidc: { provider, client, session } }: Context) => {
    if (!session.accountId) return undefined;
    const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
    grant.addOIDCScope('openid');
    grant.addResourceScope(audience, SCOPE);
    await grant.save();
    return grant;
  };
}
