/** The bank's confirmation: opened in the tab that pays, closed by the state, never by what the frame says. */
import { CHALLENGE_RETURNED } from '../challenge-message.ts';
import { fill, type Words } from '../words.ts';
import { ask, type ChallengeDialog, challengeDialog } from './dialogs.ts';
import { newId, post, untilAnswered, urlOf } from './net.ts';
import type { PayFlow } from './pay-flow.ts';
import type { Store } from './store.ts';

/** When the bank is still waiting this long after it sent the buyer back, its page is shown again. */
const SHOW_AGAIN_MS = 5_000;

export class ChallengeFlow {
  readonly #store: Store;
  readonly #words: Words;
  #open: { readonly key: string; readonly dialog: ChallengeDialog } | null = null;
  /** The confirmation that the buyer closed: not opened again by itself. */
  #left = '';
  #asking = false;
  #checking = false;

  constructor(store: Store, words: Words, pay: PayFlow) {
    this.#store = store;
    this.#words = words;
    store.onChange(() => {
      const { state, cancelling } = store.view;
      if (state !== 'requires_action') this.#close();
      else if (pay.isMine && !cancelling && this.#left !== this.#key()) this.open();
    });
    addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
      const ours = origin === location.origin && typeof data === 'object' && data !== null && 'type' in data;
      if (ours && data.type === CHALLENGE_RETURNED) void this.complete();
    });
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  open(): void {
    const key = this.#key();
    if (this.#open?.key === key || !this.#store.view.challenge) return;
    this.#close();
    this.#left = '';
    const { strings } = this.#words;
    const dialog = challengeDialog(
      urlOf('challenge'),
      {
        title: fill(strings.challengeFrameTitle, {}),
        frameTitle: strings.challengeFrameTitle,
        close: strings.challengeClose,
        checking: strings.challengeCheckTitle,
      },
      () => void this.#leave(),
      () => {
        this.#open = null;
        this.#left = key;
        this.#store.changed();
      },
    );
    this.#open = { key, dialog };
  }

  /** The browser is back from the bank: the server asks how it went. */
  async complete(): Promise<void> {
    if (this.#checking || this.#store.view.state !== 'requires_action') return;
    this.#checking = true;
    const key = this.#key();
    this.#open?.dialog.showChecking(true);
    const requestId = newId();
    const over = () => this.#key() !== key;
    const answer = await untilAnswered(
      () => post('challenge-complete', { requestId }),
      () => {},
      over,
    );
    this.#checking = false;
    if (answer?.kind === 'view') this.#store.accept(answer.view);
    setTimeout(() => {
      if (over() || this.#checking) return;
      this.#open?.dialog.showChecking(false);
      this.#open?.dialog.reload();
    }, SHOW_AGAIN_MS);
  }

  async #leave(): Promise<void> {
    if (this.#asking) return;
    const { strings } = this.#words;
    const key = this.#key();
    this.#asking = true;
    const stop = await ask({
      title: strings.challengeLeaveTitle,
      body: strings.challengeLeaveBody,
      yes: strings.challengeLeave,
      no: strings.challengeStay,
    });
    this.#asking = false;
    if (!stop || this.#key() !== key) return;
    this.#open?.dialog.showChecking(true);
    const requestId = newId();
    const over = () => this.#key() !== key;
    const answer = await untilAnswered(
      () => post('cancel', { requestId, what: 'attempt' }),
      () => {},
      over,
    );
    if (answer?.kind === 'view') this.#store.accept(answer.view);
    if (!over()) this.#open?.dialog.showChecking(false);
  }

  /** One confirmation: a second one of the same attempt is another. */
  #key(): string {
    const { state, openAttempt, version } = this.#store.view;
    return state === 'requires_action' ? `${openAttempt?.paymentId}:${version}` : '';
  }

  #close(): void {
    const open = this.#open;
    this.#open = null;
    open?.dialog.close();
  }
}
