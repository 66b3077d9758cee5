/** The sweep: its workflow, its Schedule and the results that Temporal keeps. */
export const SWEEP_WORKFLOW = 'sweep';
export const SWEEP_SCHEDULE_ID = 'sweep';
/** A round ends before the next one starts, a minute later. */
export const SWEEP_TIMEOUT_SECONDS = 52;

/** Temporal keeps the last sweep's result: a database with a lower number has lost commits (rule 29). */
export interface SweepResult {
  /**
   * The sweep's number, unrelated to the mark of a call; the name stays because histories contain it. Null if the round
   * is not counted.
   */
  readonly mark: number | null;
}
