/** Reads a paginated list to its end. */
interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/**
 * Yields every row of a list:
 * `for await (const event of everyRow((cursor) => checkout.merchants.webhookEvents.list(merchantId, { cursor })))`
 *
 * @param read returns the page after this cursor; undefined means the first page
 */
export async function* everyRow<Row>(
  read: (cursor: string | undefined) => Promise<Page<Row>>,
): AsyncGenerator<Row> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<Row> = await read(cursor);
    yield* page.data;
    cursor = page.next_cursor;
  }
}
