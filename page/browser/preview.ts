/** Renders the form without a session, for the preview of a merchant's branding: it cannot be submitted. */
import type { BootData } from '../document/page.ts';
import type { FieldLabels } from '../document/preview.ts';
import { byId, el } from './core/dom.ts';
import { PayForm } from './form.ts';

const nothing = () => {};

export function showPreview({ view, ...words }: BootData, labels: FieldLabels): void {
  const form = new PayForm({
    words,
    view,
    onPay: nothing,
    onCancel: nothing,
    drawnFields: el(
      'div',
      { class: 'drawn-fields' },
      field('number', labels.number),
      field('expiry', labels.expiry, labels.expiryHint),
      field('code', labels.code),
    ),
  });
  byId('panel').replaceChildren(form.element);
}

function field(id: string, label: string, placeholder = ''): HTMLElement {
  const input = el('input', { id, disabled: true, placeholder });
  return el('div', { class: 'field' }, el('label', { htmlFor: id }, label), input);
}
