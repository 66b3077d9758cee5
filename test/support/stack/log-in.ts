/** Log-ins at the development provider, as a browser makes them. */

/** A minimal browser: follows redirects and keeps cookies by path. */
export function openBrowser() {
  const cookies = new Map<string, { value: string; path: string }>();
  return async function visit(url: string, form?: Record<string, string>): Promise<string> {
    const { pathname } = new URL(url);
    const sent = [...cookies].filter(([, { path }]) => pathname.startsWith(path));
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, { value, path: /path=([^;]+)/i.exec(line)?.[1] ?? '/' });
    }
    const location = response.headers.get('location');
    if (location) return visit(new URL(location, url).href);
    return response.text();
  };
}

/**
 * Chooses the account on the page at `start`; by default, on the page of a log-in whose last page shows the token.
 */
export async function pageAfterLogIn(
  issuer: string,
  account: string,
  start = `${issuer}/log-in`,
): Promise<string> {
  const visit = openBrowser();
  const asked = await visit(start);
  const [, action = ''] = /action="([^"]+)"/.exec(asked) ?? [];
  return visit(issuer + action, { account });
}

export const tokenOn = (page: string) => /<textarea[^>]*>([^<]+)</.exec(page)?.[1] ?? '';
