/** A card processor's findings about an account, and reasons for failed probes. The value `why` is translated. */
export const enRailFindings = {
  findings: {
    credential_incomplete: ({ field = '' }) => `${fieldName(field)} is missing or malformed.`,
    credential_wrong_mode: ({ field = '' }) => `${fieldName(field)} belongs to the other environment.`,
    credential_of_other_account: () => 'The secret belongs to another account.',
    publishable_key_mismatch: ({ account }) =>
      `The publishable key does not belong to the account ${account}: buyers would send their cards elsewhere.`,
    account_not_asked: ({ why }) => `The account could not be queried: ${why}.`,
    account_found: ({ account }) => `The key belongs to the account ${account}.`,
    account_active: ({ account }) => `The account ${account} is active.`,
    account_not_active: ({ account }) => `The account ${account} is not active at the processor.`,
    charges_off: () => 'Charges are disabled for this account at the processor.',
    currency_taken: ({ currency }) => `It takes cards in ${currency}.`,
    currency_not_taken: ({ currency, why }) => `It does not take cards in ${currency}${because(why)}.`,
    cards_stored: () => 'It can store cards and charge them later without the buyer.',
    cards_not_stored: ({ why }) => `It cannot store cards${because(why)}.`,
    refunds_read: () =>
      'It can read refunds; only the first refund shows whether the key may also create them.',
    refunds_not_possible: ({ why }) => `It cannot refund${because(why)}.`,
    wallet_taken: ({ wallet }) => `It can take ${wallet}.`,
    wallet_not_registered: ({ wallet, host }) =>
      `${wallet} is switched on, but ${host} is not registered for it at the processor.`,
    wallets_unknown: ({ why }) => `It is unknown which wallets it can take${because(why)}.`,
    webhooks_complete: () => 'Its webhook endpoint sends every event that the service needs.',
    webhook_secret_missing: ({ path, events }) =>
      `It has no webhook secret yet: create an endpoint at the processor whose URL ends with ${path} and that sends ${events}, and set its secret.`,
    webhook_endpoint_missing: ({ path, events }) =>
      `No webhook endpoint sends its events here, so outcomes arrive later: create one at the processor whose URL ends with ${path} and that sends ${events}.`,
    webhook_events_missing: ({ events }) => `Its webhook endpoint does not send ${events}.`,
    webhooks_not_read: ({ why }) => `Its webhook endpoints cannot be read${because(why)}.`,
    no_answer_in_time: () => 'The processor did not answer in time: nothing was stored. Try again.',
  } satisfies Readonly<Record<string, FindingWords>>,
  /** By rail and credential field; other rails use the API's own text. */
  hints: {
    'stripe secretKey': 'Secret or restricted key, sk_test_… or sk_live_… (rk_…)',
    'stripe publishableKey': 'Publishable key of the same account and mode, pk_test_… or pk_live_…',
    'stripe webhookSecret': 'Signing secret of the webhook endpoint, whsec_…; may come later',
    'sandbox account': 'The id of the account at the simulated processor',
    'sandbox secret': 'Its bearer credential',
    'sandbox webhookSecret': 'The signing secret of its webhooks, whsec_…',
  },
  why: {
    account_refused: 'the key is wrong or lacks the permission',
    cards_off: 'cards are switched off or not available to this account',
    connection_lost: 'the connection to the processor failed',
    malformed_answer: 'the response was malformed',
    misconfigured: 'the processor rejected the call',
    not_sent: 'the processor could not be reached',
    busy: 'the processor was too busy',
    server_error: 'the processor had an internal error; try again',
    timeout: 'the processor did not answer in time',
  },
};

export type FindingWords = (values: Readonly<Record<string, string | undefined>>) => string;

/** `secretKey` as "Secret key", as the processors' own dashboards write it. */
export function fieldName(name: string): string {
  const spaced = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export const because = (why: string | undefined) => (why ? `: ${why}` : '');
