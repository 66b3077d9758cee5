/** Storage key for counting a tab's reloads, until the page's script runs. */
export const RELOAD_TRIES = 'app-tries';

/** Storage key for the language chosen in the page's address, for the way back from the bank. */
export const LANGUAGE_KEY = 'language';
