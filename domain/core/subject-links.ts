/** Links for operators about, for example, a session, payment or endpoint. Absent if not configured. */
export interface SubjectLinks {
  readonly runbook?: string;
  readonly dashboard?: string;
}
