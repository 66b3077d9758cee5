/** Every text of a page, a card field, an invoice or a message comes from a catalogue. */
import { describe, expect, test } from '@jest/globals';
import { invoiceWords } from '../../../api/invoice/pdf/words.ts';
import { LANGUAGES } from '../../../domain/core/languages.ts';
import { SESSION_FAILURE_REASONS, SESSION_STATES } from '../../../domain/session/session.ts';
import { challengeDocument, challengeReturnDocument } from '../../../page/document/challenge-document.ts';
import { stringsOf } from '../../../page/document/language.ts';
import { pageDocument, plainDocument } from '../../../page/document/page.ts';
import { declineNotice, NEW_TAB, railNotice, statusOf } from '../../../page/document/status.ts';
import type { PageView } from '../../../page/document/view.ts';
import type { Words } from '../../../page/document/words.ts';
import { FIELD_STRINGS as STRIPE_FIELDS } from '../../../rail/stripe/core/field-strings.ts';
import { fieldsDocument } from '../../../rail/stripe/fields-document.ts';
import { challengePage, unknownChallengePage } from '../../../sandbox/rail/pages/challenge.ts';
import { CHALLENGE_STRINGS } from '../../../sandbox/rail/pages/challenge-strings.ts';
import { FIELD_STRINGS } from '../../../sandbox/rail/pages/field-strings.ts';
import { fieldsPage } from '../../../sandbox/rail/pages/fields.ts';
import { inGreek, LATIN, saidIn } from '../../support/core/pseudo-locale.ts';
import { viewOf } from './views.ts';

/** The strings that may equal the English ones. */
const BRANDS = ['Apple Pay', 'Google Pay'];
const EQUAL: Partial<Record<(typeof LANGUAGES)[number], readonly string[]>> = {
  es: ['Total'],
  fr: ['Date'],
  nl: ['Product'],
  pl: ['VAT'],
  pt: ['Total'],
};

const GREEK: Words = {
  strings: inGreek(stringsOf('en', 'methodChange')),
  language: 'el',
  locale: 'el',
  timeZone: 'UTC',
};
const GREEK_PURCHASE: Words = { ...GREEK, strings: inGreek(stringsOf('en')) };

const asset = (path: string) => ({ path, integrity: '' });
const shared = { assets: { script: asset('/1'), style: asset('/2'), fieldScripts: {} } as never, nonce: '1' };

const RECEIPT = {
  at: '2026-01-31T12:10:00.000Z',
  reference: '17',
  card: { brand: 'мир', last4: '4242' },
  email: 'ада@пример.рф',
  invoiceUrl: 'https://pay.example/invoices/1.pdf',
};
const CYRILLIC: Partial<PageView> = {
  merchant: {
    name: 'Маяк',
    logoUrl: null,
    contact: ['Маяк', 'Портовая 1'],
    support: { email: null, url: null, phone: null },
  },
  product: { name: 'Приливы', description: 'Год на бумаге', image: null },
  redirect: { url: 'https://shop.example/', ready: true },
  receipt: RECEIPT,
};
const recurring = {
  interval: 'month',
  intervalCount: 3,
  trialDays: null,
  billingCycles: null,
  trialUsed: false,
} as const;
const PRICES = [
  { amount: 1_900, taxRate: 19, recurring: null },
  { amount: 1_900, taxRate: 0, recurring },
  { amount: 1_900, taxRate: 19, recurring: { ...recurring, trialDays: 14, billingCycles: 12 } },
] as const;
const CHANGE = {
  current: { brand: 'мир', last4: '4242' },
  due: 900,
  next: { amount: 900, recurring },
  periodEnd: '2026-02-28T12:00:00.000Z',
  over: false,
  pauses: false,
} as const;

const ENDINGS = SESSION_STATES.flatMap((state): Pick<PageView, 'state' | 'failureReason'>[] =>
  state === 'failed'
    ? SESSION_FAILURE_REASONS.map((failureReason) => ({ state, failureReason }))
    : [{ state, failureReason: null }],
);

describe.each(ENDINGS)('a session that is $state ($failureReason)', (ending) => {
  const receipt = ending.state === 'created' ? null : RECEIPT;
  const purchases = PRICES.map((price) =>
    viewOf({ ...CYRILLIC, ...ending, price, receipt, amount: price.recurring?.trialDays ? 0 : 1_900 }),
  );
  const changes = [
    CHANGE,
    { ...CHANGE, due: 0 },
    { ...CHANGE, next: null },
    { ...CHANGE, pauses: true },
    { ...CHANGE, over: true },
  ].map((methodChange) =>
    viewOf({ ...CYRILLIC, ...ending, kind: 'methodChange', amount: 0, methodChange, receipt }),
  );
  const shown = [
    ...purchases.map((view) => [GREEK_PURCHASE, view] as const),
    ...changes.map((view) => [GREEK, view] as const),
  ];

  test('has only strings from the catalogue in its document', () => {
    for (const [words, view] of shown)
      expect(saidIn(pageDocument({ view, words, colour: null, ...shared }))).not.toMatch(LATIN);
  });

  test('shows only translated strings in later messages', () => {
    const tabs = (['mine', 'unknown', 'openedFinished', 'forAnother', 'timeOver'] as const).map((fact) => ({
      ...NEW_TAB,
      [fact]: true,
    }));
    for (const [words, view] of shown)
      for (const tab of tabs)
        for (const each of [view, { ...view, cancelling: true }, { ...view, claimOpenUntil: view.expiresAt }])
          expect(JSON.stringify(Object.values(statusOf(words, each, tab) ?? {}).slice(1))).not.toMatch(LATIN);
  });
});

test('failure notices use only strings from the catalogue', () => {
  const codes = [...Object.keys(GREEK.strings.declines), 'unheard_of', null];
  for (const code of codes)
    for (const status of ['failed', 'cancelled'] as const) {
      const view = viewOf({ lastFailure: { status, code }, railIsOut: true });
      const notices = [declineNotice(GREEK, view), railNotice(GREEK, view)];
      for (const notice of notices) expect(`${notice?.title} ${notice?.body}`).not.toMatch(LATIN);
    }
});

test('the page’s other documents use only strings from the catalogue', () => {
  const plain = { title: GREEK.strings.notFoundTitle, text: GREEK.strings.notFoundBody };
  for (const html of [
    plainDocument({ words: GREEK, ...plain, ...shared }),
    challengeDocument(GREEK, 'https://bank.example/', '1'),
    challengeDocument(GREEK, null, '1'),
    challengeReturnDocument(GREEK, 'https://pay.example/', '1'),
  ])
    expect(saidIn(html)).not.toMatch(LATIN);
});

describe.each(LANGUAGES)('in %s', (language) => {
  const charge = { amount: 1_900, currency: 'EUR', method: { last4: '4242' } } as never;
  const documents: readonly (readonly [html: string, texts: object])[] = [
    [
      fieldsDocument(
        { publishableKey: '1', scriptUrl: 'https://js.stripe.com/v3' },
        {
          query: new URLSearchParams({ lang: language }),
          pageOrigin: 'https://pay.example',
          nonce: '1',
          scriptUrl: '/1',
          scriptIntegrity: '1',
        },
      ).html,
      STRIPE_FIELDS[language],
    ],
    [fieldsPage({ account: '1', parentOrigin: 'https://pay.example', language }), FIELD_STRINGS[language]],
    [challengePage(charge, 'Маяк', language), CHALLENGE_STRINGS[language]],
    [unknownChallengePage(language), CHALLENGE_STRINGS[language]],
  ];

  test('card fields and the sandbox’s bank have only strings from their catalogue', () => {
    for (const [html, texts] of documents) {
      const own = ['Sandbox Bank', ...Object.values(texts)]
        .filter((text) => typeof text === 'string')
        .sort((one, other) => other.length - one.length);
      const rest = own.reduce((said, text) => said.replaceAll(text, ''), saidIn(html));
      expect(rest).not.toMatch(LATIN);
    }
  });

  test('only listed strings equal the English ones', () => {
    const english = textsIn('en');
    const equal = [...textsIn(language)].filter(
      ([name, text]) => LATIN.test(text) && english.get(name) === text,
    );
    const texts = new Set(equal.map(([, text]) => text.trim()));
    if (language !== 'en') expect([...texts].sort()).toEqual([...BRANDS, ...(EQUAL[language] ?? [])].sort());
  });
});

/** Every text of a language by its path, without placeholders. */
function textsIn(language: (typeof LANGUAGES)[number]): Map<string, string> {
  const { direction: _direction, ...page } = stringsOf(language, 'methodChange');
  const { locale: _locale, ...pdf } = invoiceWords(language);
  return new Map(
    flat({
      page,
      stripe: STRIPE_FIELDS[language],
      fields: FIELD_STRINGS[language],
      bank: CHALLENGE_STRINGS[language],
      pdf,
    }),
  );
}

function flat(texts: object, path = ''): [name: string, text: string][] {
  return Object.entries(texts).flatMap(([key, text]: [string, unknown]) => {
    const name = `${path}.${key}`;
    if (typeof text === 'object' && text !== null) return flat(text, name);
    const written = typeof text === 'function' ? text('', '') : String(text);
    return [[name, written.replace(/\{\w+\}/g, '')] as [string, string]];
  });
}
