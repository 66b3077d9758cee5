/** Dependencies of operators' commands. */
import type { StarterDeps } from '../../platform/temporal/start-workflows.ts';

export interface OperateDeps extends StarterDeps {
  /** Limit in cents; above it, a second person confirms. Null means that one person suffices. */
  readonly secondPersonAbove: number | null;
  /** How long to wait for a workflow's answer. */
  readonly timeoutMs: number;
  /** Called with a sentence about each step that is left to the sweep. */
  readonly note?: (words: string) => void;
}
