/**
 * The bank's confirmation. It opens in the tab that pays, and closes when the session's state changes, never because of
 * a message from the frame.
 */
import { CHALLENGE_RETURNED } from '../document/challenge-message.ts';
import type { PageStrings } from '../document/strings/method-change/shape.ts';
import { newId, postUntilAnswered, urlOf } from './core/net.ts';
import type { Store } from './core/store.ts';
import { ask, type ChallengeDialog, challengeDialog, type Question } from './dialogs.ts';
import type { PayFlow } from './pay-flow.ts';

/** If the bank's confirmation is still open this long after the buyer's return, the bank's page is reloaded. */
const RELOAD_AFTER_MS = 5_000;

export class ChallengeFlow {
  readonly #store: Store;
  readonly #strings: PageStrings;
  #open: { readonly key: string; readonly dialog: ChallengeDialog } | null = null;
  /** Key of the confirmation that the buyer closed, which must not reopen by itself. */
  #leftKey = '';
  #question: { readonly key: string; readonly asked: Question } | null = null;
  #checking = false;

  constructor(store: Store, strings: PageStrings, pay: PayFlow) {
    this.#store = store;
    this.#strings = strings;
    store.onChange(() => {
      const { state, cancelling } = store.view;
      if (this.#question?.key !== this.#key()) this.#question?.asked.close();
      if (state !== 'requires_action') this.#close();
      else if (pay.isMine && !cancelling && this.#leftKey !== this.#key()) this.open();
    });
    addEventListener('message', ({ origin, data }: MessageEvent<{ readonly type?: unknown } | null>) => {
      if (origin === location.origin && data?.type === CHALLENGE_RETURNED) void this.complete();
    });
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Returns the open dialog's title. */
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
        // The event arrives later, when the next confirmation may already be open.
        if (this.#open?.key !== key) return;
        this.#open = null;
        this.#leftKey = key;
        this.#store.changed();
      },
    );
    this.#open = { key, dialog };
  }

  /** Makes the server ask the rail for the outcome, after the browser's return from the bank. */
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
    if (this.#question) return;
    const { challengeLeaveTitle, challengeLeaveBody, challengeLeave, challengeStay } = this.#strings;
    const key = this.#key();
    const asked = ask(challengeLeaveTitle, challengeLeaveBody, challengeLeave, challengeStay);
    this.#question = { key, asked };
    const stop = await asked.answer;
    this.#question = null;
    if (!stop || this.#key() !== key) return;
    this.#open?.dialog.showChecking(true);
    const over = () => this.#key() !== key;
    const what = this.#store.view.openAttempt?.attemptId;
    const answer = await postUntilAnswered('cancel', { requestId: newId(), what }, over);
    if (answer?.kind === 'view') this.#store.accept(answer.view);
    if (!over()) this.#open?.dialog.showChecking(false);
  }

  /** Returns the current confirmation's key. An attempt may need a second confirmation, which gets another key. */
  #key(): string {
    const { state, openAttempt, version } = this.#store.view;
    return state === 'requires_action' ? `${openAttempt?.attemptId}:${version}` : '';
  }

  #close(): void {
    const open = this.#open;
    this.#open = null;
    open?.dialog.close();
  }
}
