/** `/challenge/:id`: the bank's page, and the answer to it. */
import { type Response, Router } from 'express';
import { z } from 'zod';
import { accountById } from '../db/accounts.ts';
import { type Charge, chargeOfChallenge } from '../db/charges.ts';
import { inTransaction } from '../db/pool.ts';
import { completeChallenge } from '../operations/complete-challenge.ts';
import type { Context } from '../operations/context.ts';
import { challengePage, unknownChallengePage } from '../pages/challenge.ts';
import { languageOf } from './languages.ts';

const answerSchema = z.object({ result: z.enum(['approve', 'fail']) });

export function challengeRoutes({ pool, wake }: Context): Router {
  const router = Router();

  router.get('/challenge/:id', async (request, response) => {
    const language = languageOf(request);
    const charge = await chargeOfChallenge(pool, request.params.id);
    allowFraming(response, charge);
    if (!charge) return void response.status(404).send(unknownChallengePage(language));
    if (charge.status !== 'requires_action') return goBack(response, charge);
    const account = await accountById(pool, charge.accountId);
    response.type('html').send(challengePage(charge, account?.merchantName ?? '', language));
  });

  /** `result=approve|fail` as a form or JSON; always redirects to the return URL. */
  router.post('/challenge/:id', async (request, response) => {
    const { result } = answerSchema.parse(request.body);
    const charge = await inTransaction(pool, (db) => completeChallenge(db, request.params.id, result));
    wake();
    if (!charge) return void response.status(404).send(unknownChallengePage(languageOf(request)));
    goBack(response, charge);
  });

  return router;
}

function goBack(response: Response, { challengeReturnUrl, reference }: Charge): void {
  if (!challengeReturnUrl) throw new RangeError(`${reference} has a challenge without a return URL`);
  response.redirect(303, challengeReturnUrl);
}

/**
 * Lets any page frame it, since a bank does not know its shops. `form-action` includes the return URL's origin
 * because browsers apply it to redirects too.
 */
function allowFraming(response: Response, charge: Charge | null): void {
  const back = charge?.challengeReturnUrl ? new URL(charge.challengeReturnUrl).origin : '';
  response.set(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' ${back}; frame-ancestors *`,
  );
}
