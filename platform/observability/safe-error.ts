/** Errors for the log. */
import { isNativeError } from 'node:util/types';

interface SafeError extends Refusing {
  readonly name: string;
  readonly code?: string | number;
  /** For a failure in Temporal: its code, or the error's name. */
  readonly type?: string;
  readonly message?: string;
  readonly at: readonly string[];
  readonly cause?: SafeError;
}

/** PostgreSQL's names of the objects that rejected a row, never a value of the row. */
interface Refusing {
  readonly table?: string;
  readonly column?: string;
  readonly constraint?: string;
}

/** Names of errors thrown by our own code and by Node itself. Other errors may quote their input, or a row. */
const PLAIN: readonly string[] = ['Error', 'TypeError', 'RangeError'];
const FRAMES = 6;
const CAUSES = 3;

/**
 * Errors of PostgreSQL and row checks carry statements, values and whole rows. Only names, codes and source
 * positions are kept, with the violated constraint, and the messages of plain errors.
 */
export function withoutSecrets(error: unknown, depth = 0): SafeError {
  if (!isError(error)) return { name: typeof error, at: [] };
  const { code, type, cause } = error as { code?: unknown; type?: unknown; cause?: unknown };
  const message = harmlessMessage(error);
  return {
    name: error.constructor.name,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof type === 'string' && { type }),
    ...refusing(error as { readonly [Field in keyof Refusing]: unknown }),
    ...(message !== undefined && { message }),
    at: framesOf(error),
    ...(cause !== undefined && depth < CAUSES && { cause: withoutSecrets(cause, depth + 1) }),
  };
}

/** @returns undefined if the message may quote a row */
export function harmlessMessage(error: unknown): string | undefined {
  return isError(error) && PLAIN.includes(error.constructor.name) ? error.message : undefined;
}

/** Also true for errors from workflow code, which has its own global object. */
function isError(error: unknown): error is Error {
  return error instanceof Error || isNativeError(error);
}

function refusing({ table, column, constraint }: { readonly [Field in keyof Refusing]: unknown }): Refusing {
  return {
    ...(typeof table === 'string' && { table }),
    ...(typeof column === 'string' && { column }),
    ...(typeof constraint === 'string' && { constraint }),
  };
}

/** Skips the message at the stack's start, because its lines may look like frames. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const from = message === '' ? -1 : stack.indexOf(message);
  return stack
    .slice(from === -1 ? 0 : from + message.length)
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, FRAMES);
}
