/**
 * The dashboard's start-up settings. They are in the document that the API serves, or in `config.json` if the dashboard
 * is deployed separately.
 */
export interface Config {
  /** URL prefix of `/v1`: a path on this origin, or another origin that allows this one. */
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

/** Reads the settings from the document, or from `config.json` beside it. */
export async function readConfig(): Promise<Config> {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="dashboard-config"]');
  if (meta) return JSON.parse(meta.content);
  const response = await fetch(`${BASE}/config.json`, { cache: 'no-store' });
  if (!response.ok) throw new Error(`config.json: ${response.status}`);
  return response.json();
}
