/** Key under which a tab counts reloads of its page, until the page's script runs. */
export const RELOAD_TRIES = 'app-tries';
