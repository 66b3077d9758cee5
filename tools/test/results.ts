/** Reads a run's Jest results, and formats the closing lines of `npm test`. */
import { relative } from 'node:path';
import type { Skipped } from './needs.ts';

interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly duration?: number | null;
    readonly failureMessages?: readonly string[];
  }[];
  /** The tests that failed before the file was repeated (`repeat.ts`). */
  readonly flaky?: readonly string[];
}

export interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly success: boolean;
  readonly testResults: readonly TestFile[];
}

/** The first broken promise in a failure of the storm, as Jest prints an object. */
const VIOLATION = /"found": "(.*)",.*\n.*"promise": "(.*)",.*\n.*"subject": "(.*)",/;

/**
 * Prints failures, flaky tests and skipped files, one line each, then the totals.
 * @returns true if nothing failed
 */
export function tellResults(
  results: JestResults | undefined,
  skippedFiles: readonly Skipped[],
  project: string,
): boolean {
  const passed = results?.numPassedTests ?? 0;
  // A file that could not be loaded counts as a failure, and so does a crashed runner.
  const failed = results ? results.numFailedTests + results.numRuntimeErrorTestSuites : 1;
  const skipped = (results ? results.numPendingTests + results.numTodoTests : 0) + skippedFiles.length;
  for (const line of results?.testResults.flatMap((file) => linesOf(file, project)) ?? []) console.log(line);
  for (const { file, why } of skippedFiles) console.log(`skipped: ${file}: ${why}`);
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return results?.success === true && failed === 0;
}

export function linesOf(
  { name, status, assertionResults, flaky }: TestFile,
  project: string,
): readonly string[] {
  const file = relative(project, name);
  const lines = assertionResults.flatMap((test) => {
    if (test.status === 'failed') return [`failed: ${file}: ${test.fullName}${violationIn(test)}`];
    return test.status === 'passed' ? [] : [`skipped: ${file}: ${test.fullName}`];
  });
  if (flaky) lines.push(`flaky, failed at first: ${file}: ${flaky.join('; ') || 'could not be run'}`);
  const ran = assertionResults.some((test) => test.status === 'failed');
  return status === 'failed' && !ran ? [`failed: ${file}: could not be run`, ...lines] : lines;
}

function violationIn({ failureMessages = [] }: TestFile['assertionResults'][number]): string {
  const [, found, promise, subject] = VIOLATION.exec(failureMessages.join('\n')) ?? [];
  return promise ? `: ${promise}: ${subject}: ${found}` : '';
}
