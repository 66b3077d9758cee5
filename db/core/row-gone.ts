/** A workflow's row no longer exists: a result for its activities, not a reason to retry (rule 30). */
export class RowGone extends Error {
  override readonly name = 'RowGone';

  constructor(id: string) {
    super(`${id} does not exist in the database; was the database restored?`);
  }
}

/** @throws RowGone */
export function rowOrGone<Row>(row: Row | null, id: string): Row {
  if (row === null) throw new RowGone(id);
  return row;
}
