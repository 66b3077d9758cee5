/**
 * `POST /tokens` and `POST /wallet-tokens`, for the card-field document. They need no credentials: account ids are
 * public. `GET /v1/tokens/:token` reports the fingerprint of a token's card to the account's owner.
 */
import { Router } from 'express';
import { z } from 'zod';
import { WALLETS } from '../../../domain/payment/payment-method.ts';
import { isCvc, isPast, validUntil } from '../browser/card-details.ts';
import { brandOf, digitsOf, passesLuhn } from '../browser/card-number.ts';
import { Refusal } from '../core/refusal.ts';
import { cardByName, cardByNumber, fingerprintOf, type TestCard, WALLET_CARD } from '../core/test-cards.ts';
import { type Account, accountById } from '../db/accounts.ts';
import { recordRequest } from '../db/requests.ts';
import { createToken, type Method, peekToken } from '../db/tokens.ts';
import type { Context } from '../operations/context.ts';
import { assertActive, railCall } from './rail-call.ts';

const cardSchema = z.object({
  account: z.string().max(200),
  number: z.string().max(40),
  expMonth: z.number().int().min(1).max(12),
  expYear: z.number().int().min(2_000).max(2_099),
  cvc: z.string().max(10),
});
type CardDetails = z.infer<typeof cardSchema>;

const walletSchema = z.object({
  account: z.string().max(200),
  wallet: z.enum(WALLETS),
});

export function tokenRoutes(context: Context): Router {
  const router = Router();

  router.post('/tokens', async (request, response) => {
    const details = cardSchema.parse(request.body);
    const account = await usableAccount(context, details.account, 'createToken');
    const card = testCard(details);
    const method = { type: 'card', brand: card.brand, last4: card.number.slice(-4) } as const;
    response
      .status(201)
      .json(await newToken(context, account, card, method, validUntil(details.expMonth, details.expYear)));
  });

  router.post('/wallet-tokens', async (request, response) => {
    const { account: accountId, wallet } = walletSchema.parse(request.body);
    const account = await usableAccount(context, accountId, 'createWalletToken');
    if (!account.wallets.includes(wallet)) {
      throw new Refusal(403, 'wallet_not_enabled', `the account has not enabled ${wallet}`);
    }
    const card = cardByName(WALLET_CARD);
    const method = { type: wallet, brand: card.brand, last4: card.number.slice(-4) } as const;
    response.status(201).json(await newToken(context, account, card, method, null));
  });

  router.get(
    '/v1/tokens/:token',
    railCall(context, 'showToken', async ({ account, request }) => {
      const token = await peekToken(context.pool, account.id, `${request.params.token}`);
      if (!token) throw new Refusal(404, 'token_not_found', 'the account has no such token');
      return { body: { cardFingerprint: fingerprintOf(token.cardName) } };
    }),
  );

  return router;
}

async function usableAccount({ pool }: Context, id: string, operation: string): Promise<Account> {
  const account = await accountById(pool, id);
  await recordRequest(pool, {
    account: account?.id ?? null,
    operation,
    reference: null,
    idempotencyKey: null,
  });
  if (!account) throw new Refusal(404, 'account_not_found', 'the account does not exist');
  assertActive(account);
  return account;
}

/** Rejects real cards, which could be entered by mistake. */
function testCard({ number, expMonth, expYear, cvc }: CardDetails): TestCard {
  const digits = digitsOf(number);
  if (!passesLuhn(digits) || brandOf(digits) === null) {
    throw new Refusal(422, 'number_invalid', 'the card number is invalid');
  }
  if (isPast(expMonth, expYear, new Date())) throw new Refusal(422, 'expiry_past', 'the card has expired');
  if (!isCvc(cvc)) throw new Refusal(422, 'cvc_invalid', 'the security code must have 3 or 4 digits');
  const card = cardByNumber(digits);
  if (!card) throw new Refusal(422, 'not_a_test_card', 'the sandbox accepts test cards only, see /cards');
  return card;
}

async function newToken(
  { pool }: Context,
  account: Account,
  card: TestCard,
  method: Method,
  expiresAt: Date | null,
) {
  const { id } = await createToken(pool, account.id, card.name, method, expiresAt);
  return { token: id, method };
}
