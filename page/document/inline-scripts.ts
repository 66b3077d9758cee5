/**
 * The scripts inside the page's documents. Their source is constant: `npm run page-scripts` lists their
 * hashes.
 */
import { CHALLENGE_RETURNED } from './challenge-message.ts';
import { LANGUAGE_KEY, RELOAD_TRIES } from './storage-keys.ts';

/**
 * During a rollout the document and the script can come from different builds. A script that fails its
 * integrity check does not run: reload until one process serves both. Until then, a notice says that the page could
 * not be loaded.
 */
export const RELOAD_WHEN_REFUSED = `
const showNotLoaded = () => document.querySelector('.not-loaded')?.classList.remove('not-loaded');
try {
  if (sessionStorage.getItem('${RELOAD_TRIES}')) showNotLoaded();
} catch {
  // Without storage it has not reloaded.
}
addEventListener('error', ({ target }) => {
  if (target?.id !== 'app') return;
  showNotLoaded();
  try {
    const tries = Number(sessionStorage.getItem('${RELOAD_TRIES}'));
    if (tries >= 10) return;
    sessionStorage.setItem('${RELOAD_TRIES}', tries + 1);
  } catch {
    return; // Without storage it would reload for ever.
  }
  setTimeout(() => location.reload(), 1000);
}, true);
`;

/** `data-page` is the URL of the page around the bank's frame; the tab has stored the language chosen on that page. */
export const LEAVE_CHALLENGE = `
const { page } = document.currentScript.dataset;
let lang;
try {
  lang = sessionStorage.getItem('${LANGUAGE_KEY}');
} catch {
  // Without storage the page chooses its language again.
}
if (top === self) location.replace(lang ? page + '&lang=' + encodeURIComponent(lang) : page);
else top.postMessage({ type: '${CHALLENGE_RETURNED}' }, location.origin);
`;
