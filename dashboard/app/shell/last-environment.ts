/**
 * The environment that the person viewed last in this tab, or else in any: another tab must not lead this one from the
 * sandbox to live. The sandbox before the first choice.
 */
const KEY = 'dashboard-environment';

export const lastEnvironment = () =>
  (sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY)) === 'live' ? 'live' : 'sandbox';

export function rememberEnvironment(segment: string): void {
  for (const storage of [sessionStorage, localStorage]) storage.setItem(KEY, segment);
}
