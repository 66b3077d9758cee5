/** The "cancel" link below the form: asks for confirmation, then ends the session. */
import { isFinal } from '../../domain/session/session.ts';
import type { PageStrings } from '../document/strings/method-change/shape.ts';
import { newId, postUntilAnswered } from './core/net.ts';
import type { Store } from './core/store.ts';
import { ask, type Question } from './dialogs.ts';

export class CancelFlow {
  /** True once the buyer has confirmed in this tab, unless the server rejected the request. */
  confirmed = false;
  readonly #store: Store;
  readonly #strings: PageStrings;
  #question: Question | null = null;

  constructor(store: Store, strings: PageStrings) {
    this.#store = store;
    this.#strings = strings;
  }

  /** Closes the question, because the form to which it belongs is no longer shown. */
  close(): void {
    this.#question?.close();
  }

  async cancel(): Promise<void> {
    if (this.confirmed || !(await this.#isSure()) || isFinal(this.#store.view.state)) return;
    this.confirmed = true;
    this.#store.changed();
    const over = () => isFinal(this.#store.view.state);
    const answer = await postUntilAnswered('cancel', { requestId: newId(), what: 'session' }, over);
    if (answer?.kind === 'refused') this.confirmed = false;
    if (answer?.kind === 'view') this.#store.accept(answer.view);
    else this.#store.changed();
  }

  #isSure(): Promise<boolean> {
    const { cancelTitle, cancelBody, cancelConfirm, cancelKeep } = this.#strings;
    this.#question = ask(cancelTitle, cancelBody, cancelConfirm, cancelKeep);
    return this.#question.answer;
  }
}
