/** The preview of a merchant's branding: the hosted page with an invented purchase. Pure. */
import type { Environment } from '../../domain/core/environment.ts';
import type { Language } from '../../domain/core/languages.ts';
import type { PageView } from './view.ts';

/** Labels of the fields that are drawn in place of the rail's. */
export interface FieldLabels {
  readonly number: string;
  readonly expiry: string;
  readonly expiryHint: string;
  readonly code: string;
}

interface Example {
  readonly name: string;
  readonly description: string;
  readonly labels: FieldLabels;
}

const LIFETIME_MS = 30 * 60_000;

const EXAMPLES: Readonly<Record<Language, Example>> = {
  en: {
    name: 'Example product',
    description: 'Your product’s name and description appear here.',
    labels: {
      number: 'Card number',
      expiry: 'Expiry date',
      expiryHint: 'MM / YY',
      code: 'Security code',
    },
  },
  de: {
    name: 'Beispielprodukt',
    description: 'Hier stehen Name und Beschreibung Ihres Produkts.',
    labels: {
      number: 'Kartennummer',
      expiry: 'Gültig bis',
      expiryHint: 'MM / JJ',
      code: 'Prüfnummer',
    },
  },
  es: {
    name: 'Producto de ejemplo',
    description: 'Aquí aparecen el nombre y la descripción de su producto.',
    labels: {
      number: 'Número de tarjeta',
      expiry: 'Fecha de caducidad',
      expiryHint: 'MM / AA',
      code: 'Código de seguridad',
    },
  },
  fr: {
    name: 'Exemple de produit',
    description: 'Le nom et la description de votre produit s’affichent ici.',
    labels: {
      number: 'Numéro de carte',
      expiry: 'Date d’expiration',
      expiryHint: 'MM / AA',
      code: 'Code de sécurité',
    },
  },
  it: {
    name: 'Prodotto di esempio',
    description: 'Qui compaiono il nome e la descrizione del suo prodotto.',
    labels: {
      number: 'Numero della carta',
      expiry: 'Data di scadenza',
      expiryHint: 'MM / AA',
      code: 'Codice di sicurezza',
    },
  },
  nl: {
    name: 'Voorbeeldproduct',
    description: 'Hier staan de naam en beschrijving van uw product.',
    labels: { number: 'Kaartnummer', expiry: 'Vervaldatum', expiryHint: 'MM / JJ', code: 'Beveiligingscode' },
  },
  pl: {
    name: 'Przykładowy produkt',
    description: 'Tu pojawi się nazwa i opis produktu.',
    labels: {
      number: 'Numer karty',
      expiry: 'Data ważności',
      expiryHint: 'MM / RR',
      code: 'Kod CVC',
    },
  },
  pt: {
    name: 'Produto de exemplo',
    description: 'Aqui aparecem o nome e a descrição do seu produto.',
    labels: {
      number: 'Número do cartão',
      expiry: 'Data de validade',
      expiryHint: 'MM / AA',
      code: 'Código de segurança',
    },
  },
};

export function labelsOf(language: Language): FieldLabels {
  return EXAMPLES[language].labels;
}

export function previewView(
  merchant: PageView['merchant'],
  environment: Environment,
  language: Language,
  nowMs: number,
): PageView {
  const { name, description } = EXAMPLES[language];
  return {
    kind: 'purchase',
    state: 'created',
    failureReason: null,
    version: 1,
    environment,
    serverTime: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + LIFETIME_MS).toISOString(),
    merchant,
    product: { name, description, image: null },
    amount: 1_900,
    quantity: 1,
    quantityChoice: null,
    coupon: null,
    takesCodes: false,
    currency: 'EUR',
    price: { amount: 1_900, taxRate: 19, recurring: null },
    methodChange: null,
    link: null,
    email: { required: true, confirmed: false, value: null },
    nameToSpell: null,
    attempts: { used: 0, max: 5 },
    lastFailure: null,
    methods: ['card'],
    simulatedWallets: false,
    preselectedMethod: null,
    railIsOut: false,
    fields: null,
    openAttempt: null,
    challenge: null,
    claimOpenUntil: null,
    cancelling: false,
    redirect: null,
    receipt: null,
  };
}
