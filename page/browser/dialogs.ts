/** Modal dialogs built on the browser's `<dialog>`, which traps focus and restores it when closed. */
import { icons } from '../document/icons.ts';
import type { PageStrings } from '../document/strings/method-change/shape.ts';
import { button, el, svg } from './core/dom.ts';

export interface Question {
  /** True if the buyer confirmed; Escape means no. */
  readonly answer: Promise<boolean>;
  /** Closes the dialog; the answer is then no. */
  close(): void;
}

export function ask(title: string, body: string, yes: string, no: string): Question {
  const close = (answer: string) => dialog.close(answer);
  const keep = button('button', () => close('no'), no);
  const dialog = el(
    'dialog',
    {
      class: 'question',
      attributes: { 'aria-labelledby': 'question-title', 'aria-describedby': 'question-body' },
    },
    el('h2', { id: 'question-title' }, title),
    el('p', { id: 'question-body' }, body),
    el(
      'div',
      { class: 'question-buttons' },
      keep,
      button('button quiet', () => close('yes'), yes),
    ),
  );
  const answer = new Promise<boolean>((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
  document.body.append(dialog);
  dialog.showModal();
  keep.focus();
  return { answer, close: () => close('no') };
}

export interface ChallengeDialog {
  readonly title: HTMLElement;
  /** Covers the bank's page while the outcome is not known yet. */
  showChecking(checking: boolean): void;
  reload(): void;
  close(): void;
}

/** Shows the bank's page inside the challenge document. Closing the dialog only calls `onLeave`, which asks first. */
export function challengeDialog(
  url: string,
  strings: PageStrings,
  onLeave: () => void,
  onClosed: () => void,
): ChallengeDialog {
  const title = el('h2', { id: 'challenge-title' }, strings.challengeFrameTitle);
  const close = button('icon-button', onLeave, svg(icons.close));
  close.setAttribute('aria-label', strings.challengeClose);
  const frame = el('iframe', {
    src: url,
    title: strings.challengeFrameTitle,
    attributes: { allow: 'publickey-credentials-get *; payment *' },
  });
  const checking = el(
    'div',
    { class: 'challenge-checking', hidden: true },
    svg(icons.busy),
    el('p', {}, strings.challengeCheckTitle),
  );
  const dialog = el(
    'dialog',
    { class: 'challenge', attributes: { 'aria-labelledby': 'challenge-title' } },
    el('div', { class: 'challenge-head' }, title, close),
    el('div', { class: 'challenge-frame' }, frame, checking),
  );
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    onLeave();
  });
  // On a second Escape, some browsers close the dialog without a `cancel` event.
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClosed();
  });
  document.body.append(dialog);
  dialog.showModal();
  frame.focus();
  return {
    title,
    showChecking(on) {
      checking.hidden = !on;
      frame.inert = on;
    },
    reload() {
      frame.src = url;
    },
    close: () => dialog.close(),
  };
}
