/** The environment that the person viewed last; the sandbox before the first choice. */
const KEY = 'dashboard-environment';

export const lastEnvironment = () => (localStorage.getItem(KEY) === 'live' ? 'live' : 'sandbox');

export function rememberEnvironment(segment: string): void {
  localStorage.setItem(KEY, segment);
}
