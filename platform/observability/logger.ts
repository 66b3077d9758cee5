/** The log of a process: JSON lines on standard output. */
import { type Logger, type LoggerOptions, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import { withoutSecrets } from './safe-error.ts';

/**
 * Buffer for a slow reader; lines beyond it are dropped, so that a stopped reader does not fill the memory.
 */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;

/** How long an exiting process waits for a stopped reader, in tenths of a second. */
const RETRIES_AT_END = 20;

/** The part of a logger that most code needs. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Logs errors under `err` without text that may quote a row. A string is logged unchanged: the caller chose it. */
export const serializers = {
  err: (err: unknown) => (typeof err === 'string' ? err : withoutSecrets(err)),
};

/**
 * Writes in the background, and flushes what is left when the process ends. Pino's own destination retries forever once
 * the reader is gone, so that a process whose supervisor was killed would never end.
 */
export function createLogger(options: LoggerOptions): Logger {
  let left = Number.POSITIVE_INFINITY;
  const output = new sonicBoom.SonicBoom({
    fd: process.stdout.fd,
    maxLength: MOST_WAITING_BYTES,
    retryEAGAIN: () => left-- > 0,
  });
  let isReported = false;
  /**
   * The process continues without a log reader. Only causes other than a closed or stopped reader are reported, once.
   */
  const lost = (error: NodeJS.ErrnoException) => {
    if (isReported || error.code === 'EPIPE' || error.code === 'EAGAIN') return;
    isReported = true;
    process.stderr.write(`The log cannot be written, and lines are lost: ${error.message}\n`);
  };
  output.on('error', lost);
  // Standard error may have lost its reader as well.
  process.stderr.on('error', () => {});
  process.on('exit', () => {
    left = RETRIES_AT_END;
    try {
      output.flushSync();
    } catch (error) {
      lost(error as NodeJS.ErrnoException);
    }
  });
  return pino({ serializers, ...options }, output);
}
