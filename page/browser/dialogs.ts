/** Modal dialogs on the browser's own `<dialog>`: it keeps the focus inside and gives it back. */
import { icons } from '../icons.ts';
import { el, svg } from './dom.ts';

export interface Question {
  readonly title: string;
  readonly body: string;
  readonly yes: string;
  readonly no: string;
}

/** @returns whether the buyer said yes; Escape says no */
export function ask({ title, body, yes, no }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const close = (answer: string) => dialog.close(answer);
    const keep = el('button', { type: 'button', class: 'button', on: { click: () => close('no') } }, no);
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
        el('button', { type: 'button', class: 'button quiet', on: { click: () => close('yes') } }, yes),
      ),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
    keep.focus();
  });
}

export interface ChallengeTexts {
  readonly title: string;
  readonly frameTitle: string;
  readonly close: string;
  readonly checking: string;
}

export interface ChallengeDialog {
  /** The bank has answered: cover its page until the outcome is known. */
  showChecking(checking: boolean): void;
  /** Loads the bank's page again. */
  reload(): void;
  close(): void;
}

/** The bank's page, in a document of our own that alone may frame it. Closing asks first: `onLeave`. */
export function challengeDialog(
  url: string,
  texts: ChallengeTexts,
  onLeave: () => void,
  onClosed: () => void,
): ChallengeDialog {
  const frame = el('iframe', {
    src: url,
    title: texts.frameTitle,
    attributes: { allow: 'publickey-credentials-get *; payment *' },
  });
  const checking = el(
    'div',
    { class: 'challenge-checking', hidden: true },
    svg(icons.busy),
    el('p', {}, texts.checking),
  );
  const dialog = el(
    'dialog',
    { class: 'challenge', attributes: { 'aria-labelledby': 'challenge-title' } },
    el(
      'div',
      { class: 'challenge-head' },
      el('h2', { id: 'challenge-title' }, texts.title),
      el(
        'button',
        {
          type: 'button',
          class: 'icon-button',
          attributes: { 'aria-label': texts.close },
          on: { click: onLeave },
        },
        svg(icons.close),
      ),
    ),
    el('div', { class: 'challenge-frame' }, frame, checking),
  );
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    onLeave();
  });
  // A browser may close it on a second Escape without asking.
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClosed();
  });
  document.body.append(dialog);
  dialog.showModal();
  frame.focus();
  return {
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
