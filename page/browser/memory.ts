/** The claims that this tab sent, kept over a reload. Holds no card token. */
const pageToken = location.pathname.replace(/\/$/, '').split('/').at(-1);
const KEY = `paid-here:${pageToken}`;

export function rememberedClaims(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
  } catch {
    // Storage is disabled: after a reload this tab's attempt looks like another tab's.
    return [];
  }
}

export function rememberClaims(claimIds: Iterable<string>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...claimIds]));
  } catch {
    // Storage is disabled.
  }
}
