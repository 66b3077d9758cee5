/** Which attempts this tab began; survives a reload, and never a token. */
const key = (sessionId: string) => `paid-here:${sessionId}`;

export function rememberedClaims(sessionId: string): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(key(sessionId)) ?? '[]');
  } catch {
    // Storage is switched off: after a reload an attempt of this tab looks like one of another.
    return [];
  }
}

export function rememberClaims(sessionId: string, claimIds: Iterable<string>): void {
  try {
    sessionStorage.setItem(key(sessionId), JSON.stringify([...claimIds]));
  } catch {
    // As above.
  }
}
