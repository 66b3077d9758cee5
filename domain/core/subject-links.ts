/** Where an operator can read more about one session, payment or endpoint, for example. Absent: not configured. */
export interface SubjectLinks {
  readonly runbook?: string;
  readonly dashboard?: string;
}
