/** Texts for API errors, in the person's language where available. */
import type { Problem } from '../api/client.ts';
import { count } from './format.ts';
import { words } from './words.ts';

/** Codes that state only that some field is wrong. */
const ABOUT_ANY_FIELD: readonly string[] = ['invalid_request', 'unknown_field'];

export function problemText(problem: Problem | null): string {
  if (!problem) return words.problems.unknown;
  const known: Readonly<Record<string, string>> = { ...words.problems.ofApi, ...words.problems.byCode };
  return known[problem.code] ?? (problem.message || words.problems.unknown);
}

/**
 * Describes the error of the problem's field; null for a reason that this dashboard does not know.
 * @param limitText formats the limit, which is a number by default
 */
export function faultText(problem: Problem, limitText: (limit: number) => string = count): string | null {
  const { code, fault } = problem;
  if (!fault) return null;
  if (!ABOUT_ANY_FIELD.includes(code)) return problemText(problem);
  const { reason, limit } = fault;
  const limited: Readonly<Record<string, (limit: string, isOne: boolean) => string>> = words.problems.limits;
  const bound = limited[reason];
  if (bound && limit !== null) return bound(limitText(limit), limit === 1);
  const reasons: Readonly<Record<string, string>> = words.problems.reasons;
  return reasons[reason] ?? null;
}
