/** Delays the start while PostgreSQL or Temporal is unavailable. A problem that waiting cannot solve ends the process. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ConnectionError } from 'slonik';
import { errorCode } from '../db/core/error-code.ts';
import { isDatabaseUnavailable } from '../db/core/unavailable.ts';
import { isTemporalAway, temporalFailure } from '../platform/temporal/grpc-code.ts';

const EVERY_MS = 1_000;
const TELLS_EVERY_MS = 10_000;
/** Matches the messages of a worker's connection errors that waiting cannot resolve. */
const REFUSED = /certificate|fatal alert|authenticat|permission/i;
/** Thrown by the worker's connection. Compared by name, because its class would load the worker's SDK into the API. */
const NATIVE_FAILURE = 'TransportError';
/** SQLSTATEs of a missing table, column and function. */
const SCHEMA_MISSING = new Set(['42P01', '42703', '42883']);

type Server = 'PostgreSQL' | 'PostgreSQL reader' | 'Temporal';

interface Problem {
  readonly server: 'PostgreSQL' | 'Temporal';
  readonly message: string;
  readonly passes: boolean;
}

/**
 * Logs what it is waiting for, immediately and every ten seconds.
 * @param work is repeated, so it must be idempotent @returns its result, from the first time that it succeeds
 */
export async function onceAvailable<T>(
  server: Server,
  work: () => Promise<T>,
  logger: Pick<Logger, 'warn'>,
): Promise<T> {
  const began = performance.now();
  let lastProblem: string | undefined;
  const tell = () => {
    const waitedSeconds = Math.round((performance.now() - began) / 1_000);
    logger.warn({ server, problem: lastProblem ?? 'no answer', waitedSeconds }, 'waiting to start');
  };
  const telling = setInterval(tell, TELLS_EVERY_MS);
  try {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const problem = problemOf(error);
        // The API serves while it waits for its reader, so only the reader's first response may end it.
        const serves = server === 'PostgreSQL reader' && lastProblem !== undefined;
        if (!problem && !serves) throw error;
        if (problem && !problem.passes && !serves) {
          console.error(`${server.startsWith(problem.server) ? server : problem.server}: ${problem.message}`);
          process.exit(1);
        }
        const isFirst = lastProblem === undefined;
        lastProblem = problem?.message ?? String(error);
        if (isFirst) tell();
        await pause(EVERY_MS);
      }
    }
  } finally {
    clearInterval(telling);
  }
}

/** @returns null if neither server caused the error */
function problemOf(error: unknown): Problem | null {
  const failure = temporalFailure(error);
  if (failure !== null) return { server: 'Temporal', message: failure, passes: isTemporalAway(error) };
  if (error instanceof Error && error.name === NATIVE_FAILURE)
    return { server: 'Temporal', message: error.message, passes: !REFUSED.test(error.message) };
  // A ConnectionError may also mean a wrong password or certificate: only its cause shows which.
  const root = rootOf(error);
  // The error has no message if the host name has several addresses.
  const message = root.message || errorCode(root);
  if (isDatabaseUnavailable(root)) return { server: 'PostgreSQL', message, passes: true };
  if (error instanceof ConnectionError) return { server: 'PostgreSQL', message, passes: false };
  if (!SCHEMA_MISSING.has(errorCode(root) ?? '')) return null;
  return { server: 'PostgreSQL', message: `${message}: run node bin/migrate.ts first`, passes: false };
}

function rootOf(error: unknown): Error {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? rootOf(cause) : (error as Error);
}
