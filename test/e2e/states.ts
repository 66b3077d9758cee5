/** Every state of a purchase that the page can show, produced by rows and network failures. */
import { randomUUID } from 'node:crypto';
import { sql } from '../../db/core/pool.ts';
import { addAttempt, age, createSession, moveTo, type SessionOptions } from '../page/core/fixtures.ts';
import { RECURRING } from '../support/db/fixtures.ts';
import { bank, CARDS, cardFields, enterCode, fillForm, payButton } from '../support/stack/hosted-page.ts';
import {
  type Before,
  confirmation,
  ended,
  failed,
  isMine,
  type Ready,
  type Scene,
  type State,
  show as showSession,
  until,
  untilFields,
} from './scene.ts';

const yearly = { ...RECURRING, amount: 4_900, interval: 'year' } as const;
const trial = { ...RECURRING, amount: 990, trialPeriodDays: 14 };
const readingRoom = { name: 'Reading Room', description: 'Every new book, on the day it comes out.' };

export const STATES: Readonly<Record<string, State>> = {
  form: (scene) => show(scene, {}, untilFields),
  'form-wallet': (scene) =>
    show(scene, { wallets: ['apple_pay'], preselectedMethod: 'apple_pay' }, untilFields),
  'form-subscription': (scene) =>
    show(
      scene,
      { ...readingRoom, price: yearly, wallets: ['apple_pay'], merchant: { branding: { color: '#7c2d5e' } } },
      untilFields,
    ),
  'form-trial': (scene) =>
    show(
      scene,
      { ...readingRoom, price: trial, email: 'ada@example.com', emailConfirmed: true },
      untilFields,
    ),
  'form-german': (scene) =>
    show(
      scene,
      {
        ...readingRoom,
        price: trial,
        merchant: { name: 'Kaffeerösterei Nord', branding: { color: '#ffcc00' } },
        locale: 'de',
      },
      async ({ page }) => {
        await page.frameLocator('iframe[title="Kartendaten"]').locator('#number').waitFor();
      },
    ),
  'form-mistakes': (scene) =>
    show(scene, {}, async ({ page }) => {
      await fillForm(page, '4242424242424241', 'ada@');
      await payButton(page).click();
      await page.getByText('Enter an email address such as').waitFor();
    }),
  'form-name-german': (scene) =>
    show(scene, { buyerName: 'Aditi ஆதிதி', locale: 'de' }, async ({ page }) => {
      await page.frameLocator('iframe[title="Kartendaten"]').locator('#number').waitFor();
    }),
  'form-code': (scene) =>
    show(scene, { coupons: [{ code: 'SPRING24', percent: 50 }] }, async (shown) => {
      await untilFields(shown);
      await enterCode(shown.page, 'WINTER');
      await shown.page.getByText('This code cannot be used').first().waitFor();
    }),
  'form-coupon': (scene) =>
    show(
      scene,
      {
        ...readingRoom,
        price: trial,
        range: { min: 1, max: 9 },
        coupons: [{ code: 'SPRING24', percent: 50, duration: 'repeating', periods: 3 }],
      },
      async (shown) => {
        await untilFields(shown);
        await enterCode(shown.page, 'spring24');
        await shown.page.getByRole('button', { name: 'Remove the code' }).waitFor();
      },
    ),
  'form-last-minutes': (scene) => show(scene, { lifetimeSeconds: 150 }, untilFields),
  'fields-failed': async (scene) => {
    await scene.page.clock.install();
    await scene.page.route('**/fields?*', (route) => route.abort());
    await show(scene, {}, async ({ page }) => {
      await page.clock.fastForward(16_000);
      await page.getByText('The card fields could not be loaded').first().waitFor();
    });
  },
  'fields-unavailable': (scene) =>
    show(scene, { rail: 'elsewhere' }, until('Payment is not possible right now')),
  declined: (scene) =>
    show(scene, {}, untilFields, (session) => failed(scene, session, 'insufficient_funds')),
  'not-confirmed': (scene) =>
    show(scene, {}, untilFields, async (session) => {
      await addAttempt(scene.served.pool, session, { status: 'cancelled' });
    }),
  paying: async (scene) => {
    await scene.page.route('**/pay', () => {});
    await show(scene, {}, async ({ page }) => {
      await fillForm(page, CARDS.approved);
      await payButton(page).click();
      await page.getByText('Contacting your bank…').first().waitFor();
    });
  },
  challenge: (scene) =>
    show(
      scene,
      {},
      ({ page }) => bank(page).getByRole('button', { name: 'Approve' }).waitFor(),
      async (session) => {
        await confirmation(scene, session, true);
      },
    ),
  'challenge-leave': (scene) =>
    show(
      scene,
      {},
      async ({ page }) => {
        await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
        await page.getByRole('button', { name: 'Close' }).click();
        await page.getByText('Stop the confirmation?').waitFor();
      },
      async (session) => {
        await confirmation(scene, session, true);
      },
    ),
  'challenge-checking': async (scene) => {
    await scene.page.route('**/challenge-complete', () => {});
    await show(
      scene,
      {},
      async ({ page }) => {
        await bank(page).getByRole('button', { name: 'Approve' }).click();
        await page.getByText('Checking with your bank').waitFor();
      },
      async (session) => {
        await confirmation(scene, session, true);
      },
    );
  },
  'challenge-elsewhere': (scene) =>
    show(scene, {}, until('Your bank wants to be sure that it is you'), async (session) => {
      await confirmation(scene, session, false);
    }),
  'paying-elsewhere': (scene) =>
    show(scene, {}, until('This is being paid in another tab'), async (session) => {
      await addAttempt(scene.served.pool, session, { status: 'processing' });
      await moveTo(scene.served.pool, session, 'processing');
    }),
  unknown: async (scene) => {
    await scene.page.route('**/pay', (route) => route.abort());
    await show(scene, {}, async ({ page }) => {
      await fillForm(page, CARDS.approved);
      await payButton(page).click();
      await page.getByText('We do not know yet whether you have paid').waitFor();
    });
  },
  sent: (scene) =>
    show(scene, {}, until('A payment was sent from this page'), async (session) => {
      await scene.served.pool.query(sql.unsafe`
        insert into clicks (claim_id, merchant_id, environment, checkout_id, method_type, not_after)
        select ${randomUUID()}, merchant_id, environment, id, 'card', service_clock() + interval '5 minutes'
        from checkouts where id = ${session.id}`);
    }),
  cancelling: (scene) =>
    show(scene, {}, until('Cancelling the payment'), async (session) => {
      await addAttempt(scene.served.pool, session, { status: 'processing' });
      await scene.served.pool.query(sql.unsafe`
        update checkouts set cancel_requested_at = service_clock() where id = ${session.id}`);
      await moveTo(scene.served.pool, session, 'processing');
    }),
  'finding-out': (scene) =>
    show(scene, {}, until('We are finding out what happened'), async (session) => {
      await addAttempt(scene.served.pool, session, { status: 'processing' });
      await moveTo(scene.served.pool, session, 'reconciliation_required');
    }),
  'cancel-question': (scene) =>
    show(scene, {}, async ({ page }) => {
      await page.getByRole('button', { name: /^Cancel and return/ }).click();
      await page.getByText('Cancel this payment?').waitFor();
    }),
  offline: (scene) =>
    show(scene, {}, async ({ page }) => {
      await cardFields(page).getByLabel('Card number').waitFor();
      await page.context().setOffline(true);
      await page.getByText('You are offline.').waitFor();
    }),
  paid: (scene) =>
    show(
      scene,
      {},
      async ({ page, session, claimId }) => {
        await page.getByText('Your payment is being processed').waitFor();
        await scene.served.pool.query(
          sql.unsafe`update payments set status = 'succeeded' where claim_id = ${claimId}`,
        );
        // 204 No Content: the browser stays on the page.
        await page.route('**/thanks', (route) => route.fulfill({ status: 204 }));
        await moveTo(scene.served.pool, session, 'succeeded');
        await page.getByText('Payment successful').waitFor();
      },
      async (session, claimId) => {
        await addAttempt(scene.served.pool, session, { status: 'processing', claimId });
        await moveTo(scene.served.pool, session, 'processing');
        await isMine(scene, session, claimId);
      },
    ),
  'already-paid': (scene) =>
    show(scene, {}, until('This is already paid'), (session) => ended(scene, session, 'succeeded')),
  'trial-begun': (scene) =>
    show(scene, { ...readingRoom, price: trial }, until('Your free trial has begun'), (session) =>
      ended(scene, session, 'succeeded'),
    ),
  'time-over': (scene) =>
    show(scene, {}, until('We are making sure'), (session) => age(scene.served.pool, session, 1_801)),
  expired: (scene) =>
    show(scene, {}, until('The time to pay is over'), (session) => ended(scene, session, 'expired')),
  'tries-used-up': (scene) =>
    show(scene, {}, until('None of the attempts was successful'), (session) =>
      ended(scene, session, 'attempts_exhausted'),
    ),
  cancelled: (scene) =>
    show(scene, {}, until('The payment was cancelled'), (session) => ended(scene, session, 'cancelled')),
  'not-paid-after-all': (scene) =>
    show(scene, {}, until('It was checked by hand'), (session) =>
      ended(scene, session, 'resolved_by_operator'),
    ),
  'not-found': async ({ served, page }) => {
    await page.goto(`${served.url}/pay/ap_chk_unknown`);
    await page.getByText('This payment page does not exist').waitFor();
  },
};

async function show(scene: Scene, options: SessionOptions, ready: Ready, before?: Before): Promise<void> {
  return showSession(scene, await createSession(scene.served.pool, options), ready, before);
}
