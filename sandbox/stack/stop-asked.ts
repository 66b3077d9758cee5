/** Waits until somebody wants this process to stop. */
const WATCH_EVERY_MS = 500;

/**
 * Later signals change nothing: one Ctrl-C arrives twice, from the terminal and from npm, and stopping is
 * bounded anyway.
 *
 * @returns why, in words
 */
export function stopAsked(): Promise<string> {
  return new Promise((resolve) => {
    process.on('SIGINT', () => resolve('Ctrl-C'));
    process.on('SIGTERM', () => resolve('SIGTERM'));
    process.on('SIGHUP', () => resolve('The terminal was closed'));
    if (process.env.npm_lifecycle_event) watchStarter(() => resolve('npm is gone'));
  });
}

/** npm that is killed passes nothing on; what is left without it nobody could stop. */
function watchStarter(onGone: () => void): void {
  const starter = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === starter) return;
    clearInterval(watch);
    onGone();
  }, WATCH_EVERY_MS);
  watch.unref();
}
