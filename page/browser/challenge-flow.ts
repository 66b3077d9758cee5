/**
 * The bank's confirmation: opened in the tab that pays, closed by the session's state, never by the frame's
 * message.
 */
import { CHALLENGE_RETURNED } from '../document/challenge-message.ts';
import type { Strings } from '../document/strings/shape.ts';
import { ask, type ChallengeDialog, challengeDialog } from './dialogs.ts';
import { newId, postUntilAnswered, urlOf } from './net.ts';
import type { PayFlow } from './pay-flow.ts';
import type { Store } from './store.ts';

/** If the bank still waits this long after the buyer's return, its page is shown again. */
const RELOAD_AFTER_MS = 5_000;

export class ChallengeFlow {
  readonly #store: Store;
  readonly #strings: Strings;
  #open: { readonly key: string; readonly dialog: ChallengeDialog } | null = null;
  /** Key of the confirmation that the buyer closed; it does not reopen by itself. */
  #leftKey = '';
  #asking = false;
  #checking = false;

  constructor(store: Store, strings: Strings, pay: PayFlow) {
    this.#store = store;
    this.#strings = strings;
    store.onChange(() => {
      const { state, cancelling } = store.view;
      if (state !== 'requires_action') this.#close();
      else if (pay.isMine && !cancelling && this.#leftKey !== this.#key()) this.open();
    });
    addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
      const ours = origin === location.origin && typeof data === 'object' && data !== null && 'type' in data;
      if (ours && data.type === CHALLENGE_RETURNED) void this.complete();
    });
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Of the open dialog. */
  get title(): HTMLElement | null {
    return this.#open?.dialog.title ?? null;
  }

  open(): void {
    const key = this.#key();
    if (this.#open?.key === key || !this.#store.view.challenge) return;
    this.#close();
    this.#leftKey = '';
    const dialog = challengeDialog(
      urlOf('challenge'),
      this.#strings,
      () => void this.#leave(),
      () => {
        this.#open = null;
        this.#leftKey = key;
        this.#store.changed();
      },
    );
    this.#open = { key, dialog };
  }

  /** The browser is back from the bank: the server asks the rail for the outcome. */
  async complete(): Promise<void> {
    if (this.#checking || this.#store.view.state !== 'requires_action') return;
    this.#checking = true;
    const key = this.#key();
    this.#open?.dialog.showChecking(true);
    const over = () => this.#key() !== key;
    const answer = await postUntilAnswered('challenge-complete', { requestId: newId() }, over);
    this.#checking = false;
    if (answer?.kind === 'view') this.#store.accept(answer.view);
    setTimeout(() => {
      if (over() || this.#checking) return;
      this.#open?.dialog.showChecking(false);
      this.#open?.dialog.reload();
    }, RELOAD_AFTER_MS);
  }

  async #leave(): Promise<void> {
    if (this.#asking) return;
    const { challengeLeaveTitle, challengeLeaveBody, challengeLeave, challengeStay } = this.#strings;
    const key = this.#key();
    this.#asking = true;
    const stop = await ask(challengeLeaveTitle, challengeLeaveBody, challengeLeave, challengeStay);
    this.#asking = false;
    if (!stop || this.#key() !== key) return;
    this.#open?.dialog.showChecking(true);
    const over = () => this.#key() !== key;
    const answer = await postUntilAnswered('cancel', { requestId: newId(), what: 'attempt' }, over);
    if (answer?.kind === 'view') this.#store.accept(answer.view);
    if (!over()) this.#open?.dialog.showChecking(false);
  }

  /** Identifies one confirmation; an attempt may need a second one, which has another key. */
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
