/** Prevents clock skew from causing a busy loop in a workflow (rule 19). */
const SHORTEST_SLEEP_MS = 1_000;

export function atLeastASecond(ms: number): number {
  return Math.max(SHORTEST_SLEEP_MS, Math.ceil(ms));
}
