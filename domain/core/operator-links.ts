/** Where an operator reads on about one session, payment or endpoint, for example. Absent: not configured. */
export interface OperatorLinks {
  readonly runbook?: string;
  readonly dashboard?: string;
}
