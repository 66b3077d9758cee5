/** Operator links about a session, payment or endpoint, for example. Absent if not configured. */
export interface SubjectLinks {
  readonly runbook?: string;
  readonly dashboard?: string;
}
