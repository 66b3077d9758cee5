/** A subscription's coming periods, as described on a customer's page and in lists. */
import { expect, test } from '@jest/globals';
import { exampleChange } from '../../contract/subscription/resources.ts';
import { exampleFoundSubscription } from '../../contract/subscription/search.ts';
import { exampleChangePreview } from '../../contract/subscription/subscription-operations.ts';
import { effectOf, nextText, termsOf, undoText } from '../../dashboard/app/billing/subscription-text.ts';
import { de } from '../../dashboard/app/words/de.ts';
import { priceTotal } from '../../domain/subscription/proration.ts';

const plain = { ...exampleFoundSubscription, change: null, coupon: null, price_move: null };
const { id: planId, name } = plain.plan;
const at = '2026-04-01T00:00:00.000Z';
const change = { ...exampleChange, hostedUrl: null, effective_at: at };
const otherPlan = {
  ...change,
  type: 'plan_change',
  target_plan_id: 'ap_prod_other',
} as const;
const quantity = { ...change, type: 'quantity_change', target_plan_id: planId, quantity: 5 } as const;

test.each([
  ['nothing', {}, []],
  ['a change of plan', { change: { ...otherPlan, status: 'scheduled' } }, ['To another plan on Apr 1, 2026']],
  [
    'a change of quantity',
    { change: { ...quantity, status: 'scheduled' } },
    [`To 5 × ${name} on Apr 1, 2026`],
  ],
  [
    'the new price of its plan',
    { change: { ...otherPlan, target_plan_id: planId, status: 'scheduled' } },
    [`To ${name} on Apr 1, 2026`],
  ],
  [
    'a change being charged',
    { change: { ...otherPlan, status: 'pending' } },
    ['To another plan, charge started on Apr 1, 2026: waiting for the bank'],
  ],
  [
    'a change that waits for the buyer',
    { change: { ...otherPlan, status: 'requires_action' } },
    [
      'To another plan, begun on Apr 1, 2026: the buyer must confirm and pay with a link, as the bank requires',
    ],
  ],
  ['an applied change', { change: { ...otherPlan, status: 'applied' } }, []],
  [
    'a coupon, a limited number of charges and a new price',
    {
      coupon: { id: 'ap_cpn_1', code: 'SPRING24', percent: 20, amount: null, periods_left: 2 },
      billing_cycles_left: 3,
      price_move: { id: 'ap_prm_1', amount: 1_200, from: at },
    },
    [
      'SPRING24: 20% off, 2 more charges',
      'Charges left: 3',
      'New price: €12.00 from the first renewal on or after Apr 1, 2026',
    ],
  ],
] as const)('the terms list %s', (_what, facts, terms) => {
  expect(termsOf({ ...plain, ...facts })).toEqual(terms);
});

const END = '2026-03-01T00:00:00.000Z';
test.each([
  [{ next_charge_at: END }, 'Mar 1, 2026'],
  [{ next_charge_at: null }, '–'],
  [{ next_charge_at: null, ends_at: END }, 'Ends Mar 1, 2026'],
  [{ pause_at_period_end: true, next_charge_at: null }, 'Pauses Mar 1, 2026'],
  [{ pause_at_period_end: true, resumes_at: at }, 'Pauses Mar 1, 2026 · Resumes Apr 1, 2026'],
  [{ status: 'paused', resumes_at: at, next_charge_at: at }, 'Resumes Apr 1, 2026'],
  [{ status: 'paused', next_charge_at: null }, '–'],
] as const)('the next charge of %j is %s', (facts, text) => {
  expect(nextText({ ...plain, current_period_end: END, ...facts })).toBe(text);
});

test('a later change is described with its first charge, because a repeating coupon may end with it', () => {
  const total = priceTotal({ unitAmount: 1_300, coupon: { percent: 20 } });
  const preview = { ...exampleChangePreview, lines: [], total: 0, request_id: 'req_1' };
  expect(effectOf('period_end', name, { ...preview, effective_at: at, next_renewal: { at, total } })).toBe(
    'It changes on Apr 1, 2026, and €10.40 is charged then. Nothing is charged before; this service does not notify the buyer.',
  );
  expect(de.subscriptions.changePlanText('1.4.2026', '10,40 €')).toMatch(
    /^Die Änderung gilt ab dem 1\.4\.2026; dann werden 10,40 € abgebucht\. /,
  );
});

test.each([
  ['of plan', otherPlan, 'scheduled', 'The subscription stays on its plan and price.'],
  [
    'of offering',
    { ...otherPlan, type: 'offering_change' },
    'scheduled',
    'The subscription stays on its plan and in its offering.',
  ],
  ['of quantity', quantity, 'scheduled', 'The quantity stays as it is.'],
  [
    'that waits for the buyer',
    quantity,
    'requires_action',
    'The quantity stays as it is. The buyer’s payment link stops working.',
  ],
] as const)('undoing a change %s names what remains', (_what, of, status, text) => {
  expect(undoText({ ...of, status })).toBe(text);
});
