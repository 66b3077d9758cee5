/** A command that does not apply: the message says what is wrong and what to do. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
  /** Temporary: a request of two people stays, and can be confirmed again. */
  readonly forNow: boolean;

  constructor(message: string, { forNow = false } = {}) {
    super(message);
    this.forNow = forNow;
  }
}
