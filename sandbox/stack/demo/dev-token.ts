/** Gets a token for scripts from the development provider. */
import { z } from 'zod';

const granted = z.object({ access_token: z.string() });

/** @throws Error if the provider refuses */
export async function devToken(issuer: string, account: string, secret: string): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: account,
      client_secret: secret,
    }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok)
    throw new Error(`The identity provider refused a token for ${account}: ${response.status}.`);
  return granted.parse(await response.json()).access_token;
}
