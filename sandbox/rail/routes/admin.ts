/** Routes for tests, from the loopback address only: accounts and faults. */
import { type RequestHandler, Router } from 'express';
import { faultSchema } from '../core/faults.ts';
import { Refusal } from '../core/refusal.ts';
import { putAccount } from '../db/accounts.ts';
import { parseAccount } from '../operations/account-config.ts';
import type { Context } from '../operations/context.ts';

export function adminRoutes({ pool, faults }: Context): Router {
  const router = Router();
  router.use('/admin', onlyFromLoopback);

  /** Adds or replaces an account. */
  router.post('/admin/accounts', async (request, response) => {
    const account = parseAccount(request.body);
    await putAccount(pool, account);
    response.status(200).json({ id: account.id, status: account.status });
  });

  router.post('/admin/faults', (request, response) => {
    faults.add(faultSchema.parse(request.body));
    response.status(201).json(faults.list());
  });

  router.get('/admin/faults', (_request, response) => {
    response.json(faults.list());
  });

  router.delete('/admin/faults', (_request, response) => {
    faults.clear();
    response.status(204).end();
  });

  return router;
}

export const onlyFromLoopback: RequestHandler = (request, _response, next) => {
  if (!isLoopback(request.socket.remoteAddress)) {
    throw new Refusal(403, 'loopback_only', 'administration is allowed from the loopback address only');
  }
  next();
};

export function isLoopback(address: string | undefined): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(address ?? '');
}
