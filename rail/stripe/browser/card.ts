/** The three card fields, each of them a Stripe frame inside ours. */
import type { FieldName } from '../../fields-protocol.ts';
import type { CardChange, StripeElement, StripeJs, StripeJsError } from './stripe-js.ts';

const NAMES = ['number', 'expiry', 'cvc'] as const;
const TYPES = { number: 'cardNumber', expiry: 'cardExpiry', cvc: 'cardCvc' } as const;
const DARK = matchMedia('(prefers-color-scheme: dark)').matches;
const STYLE = {
  base: { fontSize: '16px', fontFamily: 'system-ui, sans-serif', color: DARK ? '#e8ecf2' : '#1b2330' },
  invalid: { color: DARK ? '#ff9d94' : '#b3261e' },
};
const EMPTY: CardChange = { complete: false, empty: true };

export interface CardFields {
  /** Represents all three fields: Stripe creates payment methods from this element. */
  readonly element: StripeElement;
  readonly state: () => {
    readonly complete: boolean;
    readonly empty: boolean;
    readonly brand: string | null;
  };
  focus(name: FieldName): void;
  /** Shows the message beside its field and focuses the field. */
  show(error: StripeJsError): FieldName | null;
}

export function cardFields(
  stripe: StripeJs,
  on: { readonly ready: () => void; readonly change: () => void; readonly failed: () => void },
): CardFields {
  const changes: Record<FieldName, CardChange> = { number: EMPTY, expiry: EMPTY, cvc: EMPTY };
  const waitingFor = new Set<FieldName>(NAMES);
  const all = stripe.elements();
  const elements = Object.fromEntries(NAMES.map((name) => [name, mounted(name)])) as Record<
    FieldName,
    StripeElement
  >;

  function mounted(name: FieldName): StripeElement {
    const options = { style: STYLE, ...(name === 'number' && { showIcon: true }) };
    const element = all.create(TYPES[name], options);
    element.on('ready', () => {
      if (waitingFor.delete(name) && waitingFor.size === 0) on.ready();
    });
    element.on('loaderror', on.failed);
    element.on('change', (change: CardChange) => {
      changes[name] = change;
      say(name, change.error?.message ?? '');
      on.change();
    });
    element.mount(byId(name));
    return element;
  }

  return {
    element: elements.number,
    state: () => ({
      complete: NAMES.every((name) => changes[name].complete),
      empty: NAMES.every((name) => changes[name].empty),
      brand: knownBrand(changes.number.brand),
    }),
    focus: (name) => elements[name].focus(),
    show(error) {
      const name = fieldOf(error);
      if (name) {
        say(name, error.message ?? '');
        elements[name].focus();
      }
      return name;
    },
  };
}

/** Finds the field in a code such as `incomplete_cvc`, `invalid_expiry_year_past` or `incorrect_number`. */
function fieldOf({ code = '' }: StripeJsError): FieldName | null {
  return NAMES.find((name) => code.includes(`_${name}`)) ?? null;
}

function knownBrand(brand: string | undefined): string | null {
  return brand && brand !== 'unknown' ? brand : null;
}

function say(name: FieldName, words: string): void {
  const problem = byId(`${name}-problem`);
  if (problem.textContent !== words) problem.textContent = words;
  byId(name).toggleAttribute('data-invalid', words !== '');
}

function byId(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement;
}
