/** A workflow's row no longer exists: a result for its activities, not a reason to retry (rule 30). */
export class RowNotFound extends Error {
  override readonly name = 'RowNotFound';

  constructor(id: string) {
    super(`${id} does not exist in the database; was the database restored?`);
  }
}

/** @throws RowNotFound */
export function rowOrNotFound<Row>(row: Row | null, id: string): Row {
  if (row === null) throw new RowNotFound(id);
  return row;
}
