/**
 * An error for the log. Errors of PostgreSQL and row checks carry statements, values and whole rows, so only
 * names, codes and source positions are kept, and the messages of our own errors.
 */
interface SafeError {
  readonly name: string;
  readonly code?: string | number;
  readonly message?: string;
  readonly at: readonly string[];
  readonly cause?: SafeError;
}

const FRAMES = 6;
const CAUSES = 3;

export function withoutSecrets(error: unknown, depth = 0): SafeError {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    name: error.constructor.name,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(hasHarmlessMessage(error) && { message: error.message }),
    at: (error.stack ?? '')
      .split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, FRAMES),
    ...(cause !== undefined && depth < CAUSES && { cause: withoutSecrets(cause, depth + 1) }),
  };
}

/** Plain errors and TypeErrors come from our own code; others may quote their input. */
function hasHarmlessMessage(error: Error): boolean {
  return error.constructor === Error || error.constructor === TypeError || error.constructor === RangeError;
}
