/** PaymentIntents and SetupIntents: created, confirmed, challenged, cancelled. */
import type { Refusal } from './cards.ts';
import { badRequest, DoubleRefusal } from './error.ts';
import { tell } from './events.ts';
import { type FormValues, record, text } from './form.ts';
import { failureObject, methodObject } from './objects.ts';
import { type DoubleAccount, type Intent, newId, unixNow } from './state.ts';

const SETTLES_AFTER_MS = 150;
const CANCELLABLE = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'requires_capture',
];

export function createIntent(account: DoubleAccount, kind: Intent['kind'], form: FormValues): Intent {
  const amount = kind === 'payment' ? Number(text(form, 'amount')) : 0;
  if (kind === 'payment' && account.settings.refusesCards)
    throw badRequest('payment_intent_invalid_parameter', 'payment_method_types');
  if (Number.isNaN(amount)) throw badRequest('parameter_invalid_integer', 'amount');
  if (kind === 'payment' && amount < 50) throw badRequest('amount_too_small', 'amount');
  if (amount > 99_999_999) throw badRequest('amount_too_large', 'amount');
  const customer = text(form, 'customer') ?? null;
  if (customer && !account.customers.has(customer)) throw badRequest('resource_missing', 'customer');
  const method = text(form, 'payment_method') ?? null;
  if (method) assertUsable(account, method, customer);
  const intent: Intent = {
    id: newId(kind === 'payment' ? 'pi' : 'seti'),
    kind,
    amount,
    currency: text(form, 'currency') ?? 'eur',
    created: unixNow(),
    metadata: record(form, 'metadata'),
    customer,
    futureUsage: text(form, 'setup_future_usage') ?? null,
    method,
    status: method ? 'requires_confirmation' : 'requires_payment_method',
    returnUrl: null,
    failure: null,
  };
  account.intents.set(intent.id, intent);
  return intent;
}

function assertUsable(account: DoubleAccount, id: string, customer: string | null): void {
  const method = account.methods.get(id);
  if (!method) throw badRequest('resource_missing', 'payment_method');
  const reusable = method.customer !== null && method.customer === customer;
  if (method.used && !reusable) throw badRequest('payment_method_unexpected_state', 'payment_method');
}

export function confirmIntent(account: DoubleAccount, intent: Intent, form: FormValues): Intent {
  if (intent.status !== 'requires_confirmation') throw unexpected(intent);
  const method = account.methods.get(intent.method ?? '');
  if (!method) throw badRequest('payment_intent_unexpected_state', 'payment_method');
  intent.returnUrl = text(form, 'return_url') ?? null;
  const alone = text(form, 'off_session') === 'true';
  method.used = true;
  const verdict = alone ? method.card.withoutBuyer : method.card.withBuyer;
  if (typeof verdict === 'object') throw declined(account, intent, verdict);
  if (verdict === 'challenge') {
    intent.status = 'requires_action';
    tell(account, intent, 'requires_action');
  } else if (verdict === 'pending') {
    intent.status = 'processing';
    tell(account, intent, 'processing');
    setTimeout(() => succeed(account, intent), SETTLES_AFTER_MS).unref();
  } else {
    succeed(account, intent);
  }
  return intent;
}

/** The buyer answers the challenge; no effect once the intent is cancelled. */
export function completeChallenge(account: DoubleAccount, intent: Intent, result: 'approve' | 'fail'): void {
  if (intent.status !== 'requires_action') return;
  if (result === 'approve') succeed(account, intent);
  else fail(account, intent, { code: `${intent.kind}_intent_authentication_failure` });
}

export function cancelIntent(account: DoubleAccount, intent: Intent): Intent {
  if (!CANCELLABLE.includes(intent.status)) throw unexpected(intent);
  intent.status = 'canceled';
  tell(account, intent, 'canceled');
  return intent;
}

function succeed(account: DoubleAccount, intent: Intent): void {
  intent.status = 'succeeded';
  const method = account.methods.get(intent.method ?? '');
  const saves = intent.kind === 'setup' || intent.futureUsage === 'off_session';
  if (method && saves) method.customer = intent.customer;
  if (intent.kind === 'payment') {
    account.ledger.push({ reference: intent.metadata.reference ?? '', amount: intent.amount });
  }
  tell(account, intent, 'succeeded');
}

function fail(account: DoubleAccount, intent: Intent, refusal: Refusal): void {
  intent.status = 'requires_payment_method';
  intent.failure = { ...refusal, method: intent.method };
  intent.method = null;
  tell(account, intent, intent.kind === 'payment' ? 'payment_failed' : 'setup_failed');
}

function declined(account: DoubleAccount, intent: Intent, refusal: Refusal): DoubleRefusal {
  const method = account.methods.get(intent.method ?? '');
  fail(account, intent, refusal);
  const { code = '', decline_code } = failureObject(account, intent) ?? {};
  return new DoubleRefusal(402, {
    type: 'card_error',
    code,
    ...(decline_code && { decline_code }),
    ...(method && { payment_method: methodObject(method) }),
  });
}

function unexpected({ kind }: Intent): DoubleRefusal {
  return badRequest(`${kind}_intent_unexpected_state`);
}
