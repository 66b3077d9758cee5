/** `GET /v1/account`: the account of these credentials and its capabilities. */
import { Router } from 'express';
import type { Context } from '../operations/context.ts';
import { railCall } from './rail-call.ts';

export function accountRoutes(context: Context): Router {
  const router = Router();

  router.get(
    '/v1/account',
    railCall(context, 'showAccount', async ({ account: { id, status, currencies, wallets } }) => ({
      body: { id, status, currencies, wallets },
    })),
  );

  return router;
}
