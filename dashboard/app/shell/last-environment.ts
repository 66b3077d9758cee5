/**
 * The environment that the person viewed last in this tab, or else in any tab, or else the sandbox. The tab comes
 * first, so that another tab cannot switch this one from the sandbox to live.
 */
const KEY = 'dashboard-environment';

export const lastEnvironment = () =>
  (sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY)) === 'live' ? 'live' : 'sandbox';

export function rememberEnvironment(segment: string): void {
  for (const storage of [sessionStorage, localStorage]) storage.setItem(KEY, segment);
}
