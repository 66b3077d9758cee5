/** Thrown for a command that does not apply; the message states the problem and its remedy. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
  /** True if the refusal is temporary: the request to a second person stays pending and can be confirmed again. */
  readonly forNow: boolean;

  constructor(message: string, { forNow = false } = {}) {
    super(message);
    this.forNow = forNow;
  }
}
