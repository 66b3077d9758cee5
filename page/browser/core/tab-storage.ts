/**
 * Data that this tab keeps across a reload: the ids of the clicks that it sent, and when it opened the page. It contains no card
 * token.
 */
import { LANGUAGE_KEY } from '../../document/storage-keys.ts';

const pageToken = location.pathname.replace(/\/$/, '').split('/').at(-1);
const KEY = `paid-here:${pageToken}`;
const OPENED = `opened:${pageToken}`;

export function rememberedClicks(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
  } catch {
    // Storage is disabled: after a reload this tab's attempt looks like another tab's.
    return [];
  }
}

export function rememberClicks(claimIds: Iterable<string>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...claimIds]));
  } catch {
    // Storage is disabled: the ids are lost on a reload.
  }
}

/**
 * Stores the chosen language for the way back from the bank.
 *
 * @param language null if none was chosen
 */
export function rememberLanguage(language: string | null): void {
  try {
    if (language === null) sessionStorage.removeItem(LANGUAGE_KEY);
    else sessionStorage.setItem(LANGUAGE_KEY, language);
  } catch {
    // Storage is disabled.
  }
}

/**
 * @param now the server's time in the document just loaded
 * @returns the time of the first document in this tab
 */
export function rememberOpening(now: string): string {
  try {
    const first = sessionStorage.getItem(OPENED) ?? now;
    sessionStorage.setItem(OPENED, first);
    return first;
  } catch {
    // Storage is disabled.
    return now;
  }
}
