/** The redirect to the shop, once the webhook was delivered or has had its time. */
import type { PageView } from '../document/view.ts';

/** Long enough to read the outcome or hear it announced. */
const SHOWN_MS = 2_000;

const finishedSeenAt = { ms: 0 };
let timer: ReturnType<typeof setTimeout> | undefined;

export function leaveWhenReady(redirect: PageView['redirect']): void {
  finishedSeenAt.ms ||= performance.now();
  if (!redirect?.ready || timer !== undefined) return;
  const shownMs = performance.now() - finishedSeenAt.ms;
  // Replaces the page in the history, so that Back leads to the shop.
  timer = setTimeout(() => location.replace(redirect.url), Math.max(0, SHOWN_MS - shownMs));
}

// A page from the back/forward cache must not redirect again.
addEventListener('pagehide', () => clearTimeout(timer));
