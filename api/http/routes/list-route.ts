/** `GET /v1/<resources>`: the full list of one resource, for a merchant's server. */
import { type ListDescription, listOperation } from '../../../contract/core/list-operation.ts';
import type { ListBatch } from '../../../db/core/lists/list-batch.ts';
import type { ApiContext } from '../context.ts';
import { keyRoute } from './gated-route.ts';

/** @param catalogue whether keys of the scope `catalogue` may read the list */
export function listRoute<Resource extends { readonly id: string }>(
  path: string,
  listOf: (context: ApiContext) => ListBatch<Resource>,
  describe: ListDescription,
  catalogue = false,
) {
  return keyRoute((context) => {
    const { pool, readerPool = pool } = context;
    const listBatch = listOf(context);
    return {
      method: 'get',
      path,
      describe: listOperation(describe),
      answer: (_request, scope) => (batch) => listBatch(readerPool, scope, batch),
    };
  }, catalogue);
}
