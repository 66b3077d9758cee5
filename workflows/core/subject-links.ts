/** Links in an operator's details in Temporal UI. Pure. */
import type { SubjectLinks } from '../../domain/core/subject-links.ts';

/**
 * Shown below the first line of the details, because Temporal UI cuts off the end; empty while no operator is needed.
 */
export function describeLinks({ runbook, dashboard }: SubjectLinks = {}): readonly string[] {
  const links = [runbook && `[What to do](${runbook})`, dashboard && `[In the dashboard](${dashboard})`];
  const known = links.filter(Boolean);
  return known.length > 0 ? ['', known.join(' · ')] : [];
}
