/** Redirects to the shop once the webhook was delivered, or the time reserved for its delivery has passed. */
import type { PageView } from '../../document/view.ts';

/** Long enough to read the outcome, or to hear its announcement. */
const SHOWN_MS = 2_000;

const finishedSeenAt = { ms: 0 };
let timer: ReturnType<typeof setTimeout> | undefined;

export function leaveWhenReady(redirect: PageView['redirect']): void {
  finishedSeenAt.ms ||= performance.now();
  if (!redirect?.ready || timer !== undefined) return;
  const shownMs = performance.now() - finishedSeenAt.ms;
  // Replaces the page in the history, so that the Back button does not return to it.
  timer = setTimeout(() => location.replace(redirect.url), Math.max(0, SHOWN_MS - shownMs));
}

// A page from the back/forward cache must not redirect again.
addEventListener('pagehide', () => clearTimeout(timer));
