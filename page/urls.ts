/** Where the hosted page lives. Pure, because the API, the page and the charge activity all need it. */

export function hostedUrl(publicUrl: string, sessionId: string): string {
  return `${publicUrl.replace(/\/$/, '')}/pay/${encodeURIComponent(sessionId)}`;
}

/** Where the rail sends the challenge's frame when the challenge is over. */
export function challengeReturnUrl(publicUrl: string, sessionId: string): string {
  return `${hostedUrl(publicUrl, sessionId)}/challenge/return`;
}
