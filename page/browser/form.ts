/** The form: email where it is not known, how to pay, the rail's card fields, the button. */
import type { FieldsWallet } from '../../rail/fields-protocol.ts';
import { formWords } from '../form-words.ts';
import { icons } from '../icons.ts';
import type { Notice } from '../status.ts';
import type { MethodType, PageView } from '../view.ts';
import { fill, type Words } from '../words.ts';
import { announce } from './announce.ts';
import { el, focusOn, svg } from './dom.ts';
import { emailField, payingAs } from './email-field.ts';
import { cardFields, type TokenResult } from './fields.ts';
import { availableMethods, methodChoice } from './methods.ts';

export interface Method {
  readonly methodType: MethodType;
  readonly methodToken: string;
}

export interface PayForm {
  readonly element: HTMLElement;
  /** The line of the heading, with room on its right. */
  readonly head: HTMLElement;
  /** What was typed, undefined where it is not asked for; null when it has to be mended first, and has the focus. */
  readEmail(): string | undefined | null;
  /** A token for the card or wallet; null when something has to be mended first, which has the focus. */
  readMethod(): Promise<Method | null>;
  /** @param locked nothing can be changed any more */
  setBusy(text: string | null, locked: boolean): void;
  setNotice(notice: Notice | null, focus: boolean): void;
  showEmailProblem(text: string): void;
}

export interface PayFormOptions {
  readonly words: Words;
  readonly view: PageView;
  readonly onPay: () => void;
  readonly onCancel: () => void;
}

export function payForm({ words, view, onPay, onCancel }: PayFormOptions): PayForm {
  const { strings } = words;
  const values = { merchant: view.merchant.name };
  const notice = el('div', { class: 'notice', hidden: true });
  const email = view.email.confirmed ? null : emailField(words, view);
  const methods = availableMethods(view);
  const choice = methodChoice(words, view, methods, (method) => {
    cardArea.hidden = method !== 'card';
    walletHint.hidden = method === 'card';
  });
  const walletHint = el('p', { class: 'hint', hidden: choice.value() === 'card' }, strings.walletHint);

  const loading = el('p', { class: 'fields-state' }, strings.cardFieldsLoading);
  const failed = el(
    'div',
    { class: 'fields-state fields-failed', hidden: true },
    el('p', {}, strings.cardFieldsFailed),
    el(
      'button',
      { type: 'button', class: 'link', on: { click: () => fields?.load() } },
      strings.cardFieldsRetry,
    ),
  );
  const fields = view.fields
    ? cardFields({
        url: view.fields.url,
        origin: view.fields.origin,
        title: strings.cardFieldsTitle,
        onState: (state) => {
          loading.hidden = state !== 'loading';
          failed.hidden = state !== 'failed';
          cardArea.dataset.state = state;
          if (state === 'failed') announce(strings.cardFieldsFailed);
        },
        onSubmitRequested: onPay,
        onAttention: (needed) => {
          cardArea.hidden = !needed && choice.value() !== 'card';
          cardArea.inert = !needed && busy;
          cardArea.dataset.attention = String(needed);
          walletHint.hidden = needed || choice.value() === 'card';
          waitsForWallet = needed;
          if (needed) setLabel(strings.busyWallet);
        },
      })
    : null;
  const problem = el('p', { class: 'problem', id: 'card-problem', hidden: true });
  const cardArea = el(
    'div',
    { class: 'fields', hidden: choice.value() !== 'card' },
    fields?.element,
    loading,
    failed,
  );

  const label = el('span', { class: 'pay-label' }, formWords(words, view).payButton);
  const button = el(
    'button',
    {
      type: 'submit',
      class: 'button pay',
      attributes: { 'aria-describedby': view.price.recurring ? 'terms' : undefined },
    },
    el('span', { class: 'pay-spinner', attributes: { 'aria-hidden': 'true' } }, svg(icons.busy)),
    label,
  );
  const secure = el(
    'p',
    { class: 'secure' },
    svg(icons.lock),
    el('span', {}, fill(strings.secureNote, values)),
  );
  const cancel = el(
    'button',
    { type: 'button', class: 'link cancel', on: { click: onCancel } },
    fill(view.redirect ? strings.cancel : strings.cancelPlain, values),
  );
  const head = el('div', { class: 'form-head' }, el('h2', { id: 'form-heading' }, strings.formHeading));
  const element = el(
    'form',
    {
      class: 'pay-form',
      noValidate: true,
      attributes: { 'aria-labelledby': 'form-heading' },
      on: {
        submit: (event) => {
          event.preventDefault();
          onPay();
        },
      },
    },
    head,
    notice,
    email?.element ?? payingAs(words, view),
    choice.element,
    cardArea,
    walletHint,
    problem,
    button,
    secure,
    cancel,
  );
  if (fields && methods.length > 0) {
    fields.load();
  } else {
    for (const part of [email?.element, choice.element, cardArea, walletHint, button, secure]) {
      if (part) part.hidden = true;
    }
    notice.hidden = false;
    notice.append(el('p', {}, strings.cardFieldsUnavailable));
  }

  let busy = false;
  let announced: string | null = null;
  /** The buyer has to press the wallet's own button, in the card fields' frame. */
  let waitsForWallet = false;
  function setLabel(wanted: string | null): void {
    const text = waitsForWallet && wanted !== null ? strings.busyWallet : wanted;
    label.textContent = text ?? formWords(words, view).payButton;
    if (text !== null && announced !== text) announce(text);
    announced = text;
  }
  return {
    element,
    head,
    readEmail: () => email?.read(),
    async readMethod() {
      problem.hidden = true;
      if (!fields) return null;
      const methodType = choice.value();
      const result = await fields.submit(methodType === 'card' ? undefined : (methodType as FieldsWallet));
      if (result.kind === 'token') return { methodType, methodToken: result.token };
      showProblem(result);
      return null;
    },
    setBusy(text, locked) {
      busy = text !== null;
      element.dataset.busy = String(busy);
      button.setAttribute('aria-disabled', String(busy));
      setLabel(text);
      for (const part of [email?.element, choice.element, cardArea, cancel]) if (part) part.inert = locked;
    },
    setNotice(words_, focus) {
      notice.hidden = words_ === null;
      if (words_ === null) return;
      const heading = el('h3', {}, words_.title);
      notice.replaceChildren(svg(icons.failure), el('div', {}, heading, el('p', {}, words_.body)));
      if (focus) focusOn(notice);
    },
    showEmailProblem: (text) => email?.showProblem(text),
  };

  function showProblem(result: Exclude<TokenResult, { kind: 'token' }>): void {
    // The card document has put the focus on the mistake and says it there.
    if (result.kind === 'error' && result.inField) return;
    problem.textContent = result.kind === 'error' ? result.message : strings.cardFieldsFailed;
    problem.hidden = false;
    announce(problem.textContent);
  }
}
