/** A default view for tests of the page's strings. */

import { en } from '../../../page/document/strings/en.ts';
import type { PageView } from '../../../page/document/view.ts';
import type { Words } from '../../../page/document/words.ts';

export const ENGLISH: Words = { strings: en, language: 'en', locale: 'en-GB', timeZone: 'UTC' };

export function viewOf(changes: Partial<PageView> = {}): PageView {
  return {
    kind: 'purchase',
    state: 'created',
    failureReason: null,
    version: 1,
    environment: 'sandbox',
    serverTime: '2026-01-31T12:00:00.000Z',
    expiresAt: '2026-01-31T12:30:00.000Z',
    merchant: {
      name: 'Lighthouse Books',
      logoUrl: null,
      contact: [],
      support: { email: null, url: null, phone: null },
    },
    product: { name: 'The Tide Tables', description: null, image: null },
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
    simulatedWallets: true,
    railIsOut: false,
    preselectedMethod: null,
    fields: { url: 'https://rail.example/fields', origin: 'https://rail.example' },
    openAttempt: null,
    challenge: null,
    claimOpenUntil: null,
    cancelling: false,
    redirect: null,
    receipt: null,
    ...changes,
  };
}
