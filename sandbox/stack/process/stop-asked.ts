/** Waits for a request to stop: a signal, or the death of npm. */
const WATCH_EVERY_MS = 500;

/**
 * Ignores later signals: one Ctrl-C arrives twice, from the terminal and from npm, and stopping has a time limit.
 *
 * @returns the reason, as text
 */
export function stopAsked(): Promise<string> {
  return new Promise((resolve) => {
    process.on('SIGINT', () => resolve('Ctrl-C'));
    process.on('SIGTERM', () => resolve('SIGTERM'));
    process.on('SIGHUP', () => resolve('The terminal was closed'));
    if (process.env.npm_lifecycle_event) watchStarter(() => resolve('npm has exited'));
  });
}

/** A killed npm forwards no signal, and would leave the stack running. */
function watchStarter(onGone: () => void): void {
  const starter = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === starter) return;
    clearInterval(watch);
    onGone();
  }, WATCH_EVERY_MS);
  watch.unref();
}
