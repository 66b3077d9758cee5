/** Reports all faults of the environment at once, by variable name. */
import { ZodError } from 'zod';
import { predicate } from '../../contract/core/why-invalid.ts';

export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(faults: readonly string[]) {
    super(
      `Invalid configuration (docs/configuration.md):\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  }
}

/** @returns one line per fault, which never quotes a value */
export function faultsIn(...readings: readonly (() => unknown)[]): readonly string[] {
  return [...new Set(readings.flatMap(faultsOf))];
}

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof ZodError)) return [(error as Error).message];
    return error.issues.map((issue) => {
      const { message } = issue;
      const isMissing = message.endsWith('received undefined');
      // Zod's own sentences begin with a capital letter.
      const fault = /^[a-z]/.test(message) ? message : predicate(issue);
      return `${String(issue.path[0])}: ${isMissing ? 'missing' : fault}`;
    });
  }
}

/** Ends the process and prints only the faults: a stack trace does not help to fix a variable. */
export function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
