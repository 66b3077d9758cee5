/** A command that does not apply: the message says what is wrong and what to do. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
}
