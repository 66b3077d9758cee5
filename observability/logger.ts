/** The log of a process: JSON lines on standard output. */
import { type Logger, type LoggerOptions, pino } from 'pino';
import sonicBoom from 'sonic-boom';

/** What waits for a slow reader; lines beyond it are dropped, so that a stopped reader does not fill the memory. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;

/** A tenth of a second each: how long a process that ends waits for a reader that is stopped. */
const RETRIES_AT_END = 20;

/**
 * Writes in the background, and what is left when the process ends. Pino's own destination then tries for ever when
 * the reader is gone: a process whose supervisor was killed never ended.
 */
export function createLogger(options: LoggerOptions): Logger {
  let left = Number.POSITIVE_INFINITY;
  const output = new sonicBoom.SonicBoom({
    fd: process.stdout.fd,
    maxLength: MOST_WAITING_BYTES,
    retryEAGAIN: () => left-- > 0,
  });
  // The reader is gone, and the work goes on.
  output.on('error', () => {});
  process.on('exit', () => {
    left = RETRIES_AT_END;
    try {
      output.flushSync();
    } catch {
      // What is left has no reader.
    }
  });
  return pino(options, output);
}
