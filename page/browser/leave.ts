/** The way back to the shop, once the shop has heard of the outcome or had its time to. */
import type { PageView } from '../view.ts';

/** Long enough to see, and to hear, how it ended. */
const SHOWN_MS = 2_000;

const finishedSeenAt = { ms: 0 };
let timer: ReturnType<typeof setTimeout> | undefined;

export function leaveWhenReady(redirect: PageView['redirect']): void {
  finishedSeenAt.ms ||= performance.now();
  if (!redirect?.ready || timer !== undefined) return;
  const shownMs = performance.now() - finishedSeenAt.ms;
  // The page itself does not stay in the history: Back leads to the shop, not here again.
  timer = setTimeout(() => location.replace(redirect.url), Math.max(0, SHOWN_MS - shownMs));
}

// Back from the shop, out of the browser's memory: do not send the buyer away again.
addEventListener('pagehide', () => clearTimeout(timer));
