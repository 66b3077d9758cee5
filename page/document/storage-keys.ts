/** Key under which a tab counts reloads of its page, until the page's script runs. */
export const RELOAD_TRIES = 'app-tries';

/** Key under which a tab keeps the language chosen in the page's address, for the way back from the bank. */
export const LANGUAGE_KEY = 'language';
