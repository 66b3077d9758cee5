/** Requests a token from the rail. Card data is sent to this document's own origin only. */

import type { Problem } from '../pages/field-strings.ts';
import { parseExpiry } from './card-details.ts';
import { digitsOf } from './card-number.ts';

export type TokenAnswer = { readonly token: string; readonly method: object } | { readonly problem: Problem };

const TIMEOUT_MS = 15_000;

export async function requestCardToken(
  account: string,
  number: string,
  expiry: string,
  cvc: string,
): Promise<TokenAnswer> {
  const date = parseExpiry(expiry);
  if (!date) return { problem: 'expiry_invalid' };
  const details = { number: digitsOf(number), expMonth: date.month, expYear: date.year, cvc };
  return post('/tokens', { account, ...details });
}

export async function requestWalletToken(account: string, wallet: string): Promise<TokenAnswer> {
  return post('/wallet-tokens', { account, wallet });
}

async function post(path: string, body: object): Promise<TokenAnswer> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = await response.json();
    return response.ok ? answer : { problem: problemOf(response.status, answer.code) };
  } catch {
    return { problem: 'rail_unreachable' };
  }
}

function problemOf(status: number, code: string): Problem {
  switch (code) {
    case 'number_invalid':
    case 'not_a_test_card':
    case 'expiry_past':
    case 'cvc_invalid':
      return code;
    default:
      return status >= 500 ? 'rail_unreachable' : 'account_refused';
  }
}
