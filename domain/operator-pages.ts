/** Where an operator reads on about one session, subscription or refund. Absent: not configured. */
export interface OperatorPages {
  readonly runbook?: string;
  readonly dashboard?: string;
}
