/** Read-only routes for tests and development: `/cards`, `/ledger`, `/requests`, `/healthz`. */
import { type Request, Router } from 'express';
import { TEST_CARDS } from '../core/test-cards.ts';
import { readLedger } from '../db/ledger.ts';
import { readRequests } from '../db/requests.ts';
import type { Context } from '../operations/context.ts';

export function bookRoutes({ pool }: Context): Router {
  const router = Router();

  router.get('/cards', (_request, response) => {
    response.json(TEST_CARDS);
  });

  router.get('/ledger', async (request, response) => {
    response.json(await readLedger(pool, accountOf(request)));
  });

  router.get('/requests', async (request, response) => {
    response.json(await readRequests(pool, accountOf(request)));
  });

  router.get('/healthz', async (_request, response) => {
    const ready = await pool.query('select').then(
      () => true,
      () => false,
    );
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'database_unavailable' });
  });

  return router;
}

/** `?account=` filters by account. */
function accountOf({ query }: Request): string | null {
  return typeof query.account === 'string' ? query.account : null;
}
