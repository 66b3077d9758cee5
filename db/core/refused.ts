/** Rolls back a transaction because a check in it failed. */

/**
 * @param work calls `refuse` to undo everything and return the reason
 * @returns the result of the work, or the reason
 */
export async function orRefused<Result, Reason extends string>(
  work: (refuse: (reason: Reason) => never) => Promise<Result>,
): Promise<Result | Reason> {
  class Refused extends Error {
    override readonly name = 'Refused';
    readonly reason: Reason;

    constructor(reason: Reason) {
      super(reason);
      this.reason = reason;
    }
  }
  try {
    return await work((reason) => {
      throw new Refused(reason);
    });
  } catch (error) {
    if (error instanceof Refused) return error.reason;
    throw error;
  }
}
