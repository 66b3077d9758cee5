/** Where a tab counts how often its page was loaded again, until the page's script runs. */
export const RELOAD_TRIES = 'app-tries';
