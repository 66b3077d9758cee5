/** What the dashboard starts with: `config.json` beside it, from the API or from whoever serves it alone. */
export interface Config {
  /** Before `/v1`: a path on this origin, or another origin that allows this one. */
  readonly apiUrl: string;
  readonly logIn: {
    readonly issuer: string;
    readonly audience: string;
    readonly clientId: string;
    readonly scope: string;
  } | null;
}

export const BASE =
  document.querySelector<HTMLMetaElement>('meta[name="dashboard-base"]')?.content ?? '/dashboard';

export async function readConfig(): Promise<Config> {
  const response = await fetch(`${BASE}/config.json`, { cache: 'no-store' });
  if (!response.ok) throw new Error(`config.json: ${response.status}`);
  return response.json();
}
