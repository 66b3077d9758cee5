/** Builds Stripe's API objects from the double's state. */
import type { Dispute, DoubleAccount, Intent, Method, Refund } from './state.ts';

export function methodObject({ id, card, wallet, customer, isDebit = false }: Method) {
  const common = {
    id,
    object: 'payment_method',
    created: 1,
    livemode: false,
    customer,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  };
  if (isDebit) return { ...common, type: 'sepa_debit', sepa_debit: SEPA_DEBIT };
  return {
    ...common,
    type: 'card',
    card: {
      brand: card.brand,
      last4: card.last4,
      fingerprint: `fp${card.last4}`,
      exp_month: 12,
      exp_year: 2040,
      funding: 'credit',
      country: 'DE',
      checks: null,
      wallet: wallet && { type: wallet, dynamic_last4: null },
    },
  };
}

const SEPA_DEBIT = {
  bank_code: '37040044',
  branch_code: null,
  country: 'DE',
  fingerprint: null,
  generated_from: null,
  last4: '3000',
};

export const clientSecretOf = ({ id }: Intent) => `${id}_secret_x`;

export function intentObject(account: DoubleAccount, url: string, intent: Intent, expand: readonly string[]) {
  const method = intent.method ? account.methods.get(intent.method) : undefined;
  const expanded = expand.some((path) => path.endsWith('payment_method'));
  const common = {
    id: intent.id,
    created: intent.created,
    livemode: false,
    metadata: intent.metadata,
    customer: intent.customer,
    client_secret: clientSecretOf(intent),
    payment_method: method ? (expanded ? methodObject(method) : method.id) : null,
    payment_method_types: takesCards(account, intent) ? ['card'] : [],
    status: intent.status,
    next_action:
      intent.status === 'requires_action'
        ? {
            type: 'redirect_to_url',
            redirect_to_url: { url: `${url}/challenge/${intent.id}`, return_url: intent.returnUrl },
          }
        : null,
  };
  const failure = failureObject(account, intent);
  if (intent.kind === 'setup') {
    return { ...common, object: 'setup_intent', usage: 'off_session', last_setup_error: failure };
  }
  return {
    ...common,
    object: 'payment_intent',
    amount: intent.amount,
    amount_received: intent.status === 'succeeded' ? intent.amount : 0,
    currency: intent.currency,
    capture_method: 'automatic',
    confirmation_method: 'automatic',
    setup_future_usage: intent.futureUsage,
    last_payment_error: failure,
  };
}

/** Stripe silently drops the allowed methods that the account cannot take. */
function takesCards({ settings }: DoubleAccount, { kind }: Intent): boolean {
  return kind === 'payment' ? settings.takesEuros : settings.storesCards;
}

export function failureObject(account: DoubleAccount, { failure }: Intent) {
  if (!failure) return null;
  const method = failure.method ? account.methods.get(failure.method) : undefined;
  return {
    type: 'card_error',
    code: failure.code,
    ...(failure.decline_code && { decline_code: failure.decline_code }),
    message: 'The card was declined.',
    ...(method && { payment_method: methodObject(method) }),
  };
}

export function refundObject({ id, intent, amount, created, metadata, status, failureReason }: Refund) {
  return {
    id,
    object: 'refund',
    amount,
    currency: 'eur',
    created,
    metadata,
    payment_intent: intent,
    charge: null,
    status,
    ...(failureReason && { failure_reason: failureReason }),
  };
}

export function disputeObject({ id, intent, amount, created, status, caseType }: Dispute) {
  return {
    id,
    object: 'dispute',
    amount,
    currency: 'eur',
    created,
    charge: 'ch_1',
    payment_intent: intent,
    balance_transactions: [],
    enhanced_eligibility_types: [],
    evidence: { enhanced_evidence: {} },
    evidence_details: {
      due_by: created + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_method_details: {
      card: { brand: 'visa', case_type: caseType, network: 'visa', network_reason_code: null },
      type: 'card',
    },
    reason: 'fraudulent',
    status,
  };
}

export function listObject(path: string, data: readonly object[], hasMore: boolean) {
  return { object: 'list', url: path, data, has_more: hasMore };
}
