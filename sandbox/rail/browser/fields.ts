/**
 * The card-field document's script: validates while the buyer types, requests a single-use token and reports to
 * the page in the card-field protocol (`rail/README.md`).
 */

import type { FieldStrings, Problem } from '../pages/field-strings.ts';
import { brandOf, digitsOf } from './card-number.ts';
import { looksFinished, problemOf, tidy } from './checks.ts';
import { requestCardToken, requestWalletToken, type TokenAnswer } from './request-token.ts';

const CHANNEL = 'card-fields/1';
const NAMES = ['number', 'expiry', 'cvc'] as const;
type FieldName = (typeof NAMES)[number];

const { account = '', parentOrigin = '', problems = '' } = document.body.dataset;
const texts: FieldStrings['problems'] = JSON.parse(problems);
const form = document.forms[0] as HTMLFormElement;
const inputs = Object.fromEntries(NAMES.map((name) => [name, byId(name)])) as Record<
  FieldName,
  HTMLInputElement
>;
const brandIcon = document.querySelector('.brand') as HTMLElement;
let busy = false;

function byId(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement;
}

function tellPage(message: { readonly type: string; readonly [key: string]: unknown }): void {
  window.parent.postMessage({ channel: CHANNEL, ...message }, parentOrigin);
}

function currentProblem(name: FieldName): Problem | null {
  return problemOf(name, inputs[name].value, new Date());
}

function show(name: FieldName, problem: Problem | null): void {
  byId(`${name}-problem`).textContent = problem ? texts[problem] : '';
  if (problem) inputs[name].setAttribute('aria-invalid', 'true');
  else inputs[name].removeAttribute('aria-invalid');
}

function tellChange(submitRequested = false): void {
  const brand = brandOf(digitsOf(inputs.number.value));
  if (brand) brandIcon.dataset.brand = brand;
  else delete brandIcon.dataset.brand;
  tellPage({
    type: 'change',
    complete: NAMES.every((name) => currentProblem(name) === null),
    empty: NAMES.every((name) => inputs[name].value === ''),
    brand,
    submitRequested,
  });
}

function fail(problem: Problem): void {
  const name = NAMES.find((candidate) => problem.startsWith(candidate));
  const field = problem === 'not_a_test_card' ? 'number' : (name ?? null);
  if (field) {
    show(field, problem);
    inputs[field].focus();
  }
  tellPage({ type: 'error', field, code: problem, message: texts[problem] });
}

async function submitCard(): Promise<void> {
  for (const name of NAMES) show(name, currentProblem(name));
  const problem = NAMES.map(currentProblem).find((candidate) => candidate !== null);
  if (problem) return fail(problem);
  const { number, expiry, cvc } = inputs;
  await answer(requestCardToken(account, number.value, expiry.value, cvc.value));
}

/** One token at a time: further submits are ignored until this one is answered. */
async function answer(request: Promise<TokenAnswer>): Promise<void> {
  busy = true;
  const result = await request;
  busy = false;
  if ('problem' in result) fail(result.problem);
  else tellPage({ type: 'token', token: result.token, method: result.method });
}

for (const name of NAMES) {
  const input = inputs[name];
  const onInput = () => {
    tidy(name, input);
    // A complete entry is validated immediately; until then, typing only clears the previous message.
    show(name, looksFinished(name, input.value) ? currentProblem(name) : null);
    tellChange();
  };
  // An input method composes its text first, and would lose it if the field changed.
  input.addEventListener('input', (event) => {
    if (!(event as InputEvent).isComposing) onInput();
  });
  input.addEventListener('compositionend', onInput);
  input.addEventListener('blur', () => {
    if (input.value !== '') show(name, currentProblem(name));
  });
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  tellChange(true);
});

window.addEventListener('message', ({ data, origin, source }) => {
  if (origin !== parentOrigin || source !== window.parent || data?.channel !== CHANNEL) return;
  if (data.type === 'focus') inputs[NAMES.find((name) => name === data.field) ?? 'number'].focus();
  if (data.type !== 'submit' || busy) return;
  if (data.wallet) answer(requestWalletToken(account, data.wallet));
  else submitCard();
});

new ResizeObserver(() => {
  tellPage({ type: 'height', heightPx: Math.ceil(document.documentElement.getBoundingClientRect().height) });
}).observe(document.documentElement);

tellPage({ type: 'ready' });
