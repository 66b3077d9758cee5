/** URLs of the hosted page. Pure: the API, the page and the worker use them. */

export function hostedUrl(publicUrl: string, pageToken: string): string {
  return `${publicUrl.replace(/\/$/, '')}/pay/${encodeURIComponent(pageToken)}`;
}

/** Returns the final address of the challenge's frame. */
export function challengeReturnUrl(publicUrl: string, pageToken: string): string {
  return `${hostedUrl(publicUrl, pageToken)}/challenge/return`;
}
