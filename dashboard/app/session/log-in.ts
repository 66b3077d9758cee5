/**
 * The log-in: authorization code with PKCE at the installation's identity provider. Tokens are in memory only; a reload
 * asks the provider again, which answers without a prompt while its own session lasts.
 */
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { BASE, type Config } from '../api/config.ts';

export interface Session {
  readonly person: string;
  token(): string;
  /** @returns false if the person has to log in again */
  renew(): Promise<boolean>;
  /**
   * Logs in again in a pop-up window, which keeps a half-filled form; the page of another person is loaded again.
   * @returns false if the window was closed, or for another person
   */
  logInAgain(): Promise<boolean>;
  logOut(): Promise<void>;
}

const SIGNED_IN = '/signed-in';
/** The provider's metadata, kept across the redirect to save a request. */
const PROVIDER = 'dashboard-provider';
const SIGNED_OUT = '/signed-out';

export const isSignedOutPage = () => location.pathname === BASE + SIGNED_OUT;

/** Starts the session; null if this window only reports to another one or was redirected to the provider. */
export async function openSession({ logIn }: Config): Promise<Session | null> {
  if (!logIn) throw new Error('no identity provider');
  const returning = location.pathname === BASE + SIGNED_IN;
  const known = returning ? sessionStorage.getItem(PROVIDER) : null;
  const manager = createManager(logIn, known);
  if (!returning) {
    sessionStorage.setItem(PROVIDER, JSON.stringify(await manager.metadataService.getMetadata()));
    await manager.signinRedirect({ state: { path: location.pathname + location.search } });
    return null;
  }
  if (isWindowOfAnother()) {
    await manager.signinPopupCallback();
    return null;
  }
  // In the frame that renews the token, this notifies the parent page and returns nothing.
  const user = await manager.signinCallback();
  if (!user) return null;
  const { path } = (user.state ?? {}) as { path?: string };
  history.replaceState(null, '', path?.startsWith(BASE) ? path : `${BASE}/`);
  let token = user.access_token;
  let expired = user.expired ?? false;
  manager.events.addUserLoaded((renewed) => {
    token = renewed.access_token;
    expired = false;
  });

  let renewing: Promise<boolean> | undefined;
  const attempt = (how: () => Promise<unknown>) =>
    how().then(
      (renewed) => renewed !== null && !expired,
      () => false,
    );
  return {
    person: user.profile.name ?? user.profile.email ?? user.profile.sub,
    token: () => token,
    renew() {
      renewing ??= attempt(() => manager.signinSilent()).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
    logInAgain: () =>
      attempt(async () => {
        const { profile } = await manager.signinPopup();
        if (profile.sub === user.profile.sub) return profile;
        location.reload();
        return null;
      }),
    // Not every provider has a log-out address; in that case, leaving the page drops the tokens.
    logOut: () => manager.signoutRedirect().catch(() => location.assign(BASE + SIGNED_OUT)),
  };
}

/**
 * True if this window was opened to log in again: its own storage then lacks the log-in's state, which the opening page
 * stored only after opening it.
 */
function isWindowOfAnother(): boolean {
  const state = new URLSearchParams(location.search).get('state');
  return window.opener !== null && sessionStorage.getItem(`oidc.${state}`) === null;
}

function createManager(
  { issuer, clientId, scope, audience }: NonNullable<Config['logIn']>,
  known: string | null,
): UserManager {
  const origin = location.origin + BASE;
  return new UserManager({
    authority: issuer,
    ...(known && { metadata: JSON.parse(known) }),
    client_id: clientId,
    redirect_uri: origin + SIGNED_IN,
    popup_redirect_uri: origin + SIGNED_IN,
    silent_redirect_uri: origin + SIGNED_IN,
    post_logout_redirect_uri: origin + SIGNED_OUT,
    response_type: 'code',
    scope,
    // Providers that issue tokens for an audience expect it here; others ignore it.
    extraQueryParams: { audience },
    automaticSilentRenew: true,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // Keeps the verifier and the page to return to across the redirect, but no token.
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
  });
}
