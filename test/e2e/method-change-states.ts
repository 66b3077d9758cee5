/** Every state of a payment method change that the page can show, made with rows. */
import { addAttempt, age, moveTo } from '../page/core/fixtures.ts';
import {
  createMethodChangeSession,
  type MethodChangeOptions,
} from '../page/document/method-change-session.ts';
import { bank, cardFields } from '../support/stack/hosted-page.ts';
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

const german = { name: 'Lesesaal Nord', branding: { color: '#ffcc00' } };

export const METHOD_CHANGE_STATES = {
  'change-form': (scene: Scene) => show(scene, {}, untilFields),
  'change-form-due': (scene: Scene) => show(scene, { pastDue: true }, untilFields),
  'change-form-ending': (scene: Scene) => show(scene, { ending: true }, untilFields),
  'change-form-other-plan': (scene: Scene) =>
    show(scene, { scheduled: { amount: 4_900, interval: 'year' } }, until('€49.00 every year')),
  'change-form-german': (scene: Scene) =>
    show(
      scene,
      { merchant: german, pastDue: true, price: { amount: 4_900, interval: 'year' } },
      async ({ page }) => {
        await page.goto(`${page.url()}?lang=de`);
        await page.frameLocator('iframe[title="Kartendaten"]').locator('#number').waitFor();
      },
    ),
  'change-declined': (scene: Scene) =>
    show(scene, {}, untilFields, (session) => failed(scene, session, 'insufficient_funds')),
  'change-challenge': (scene: Scene) =>
    show(
      scene,
      {},
      ({ page }) => bank(page).getByRole('button', { name: 'Approve' }).waitFor(),
      async (session) => {
        await confirmation(scene, session, true);
      },
    ),
  'change-elsewhere': (scene: Scene) =>
    show(scene, {}, until('This is being done in another tab'), async (session) => {
      await addAttempt(scene.served.pool, session, { status: 'processing' });
      await moveTo(scene.served.pool, session, 'processing');
    }),
  'change-finding-out': (scene: Scene) =>
    show(scene, {}, until('We are finding out what happened'), async (session) => {
      await addAttempt(scene.served.pool, session, { status: 'processing' });
      await moveTo(scene.served.pool, session, 'reconciliation_required');
    }),
  'change-question': (scene: Scene) =>
    show(scene, {}, async ({ page }) => {
      await cardFields(page).getByLabel('Card number').waitFor();
      await page.getByRole('button', { name: /^Keep the current card|^Cancel and return/ }).click();
      await page.getByText('Keep the current card?').waitFor();
    }),
  changed: (scene: Scene) =>
    show(scene, {}, until('Your payment method was changed'), (session) =>
      ended(scene, session, 'succeeded'),
    ),
  'changed-and-due': (scene: Scene) =>
    show(scene, { pastDue: true }, until('is charged to it now'), async (session, claimId) => {
      await isMine(scene, session, claimId);
      await ended(scene, session, 'succeeded');
    }),
  'change-kept': (scene: Scene) =>
    show(scene, {}, until('Nothing was changed'), (session) => ended(scene, session, 'cancelled')),
  'change-time-over': (scene: Scene) =>
    show(scene, {}, until('We are making sure'), (session) => age(scene.served.pool, session, 901)),
  'change-expired': (scene: Scene) =>
    show(scene, {}, until('This link has expired'), (session) => ended(scene, session, 'expired')),
  'change-tries-used-up': (scene: Scene) =>
    show(scene, {}, until('The card could not be saved'), (session) =>
      ended(scene, session, 'attempts_exhausted'),
    ),
  'change-superseded': (scene: Scene) =>
    show(scene, { superseded: true }, until('This link cannot be used any more')),
} satisfies Readonly<Record<string, State>>;

async function show(
  scene: Scene,
  options: MethodChangeOptions,
  ready: Ready,
  before?: Before,
): Promise<void> {
  return showSession(scene, await createMethodChangeSession(scene.served.pool, options), ready, before);
}
