/** The message shown instead of the form. */

import type { Html } from '../document/html.ts';
import { icons } from '../document/icons.ts';
import type { Status } from '../document/status.ts';
import { focusOn } from './core/announce.ts';
import { el, nodesOf, svg } from './core/dom.ts';

export interface StatusPanel {
  readonly element: HTMLElement;
  /** @param focus moves focus to a new message, so that screen readers read it */
  show(status: Status | null, focus: boolean, parts: StatusParts): void;
}

interface StatusParts {
  readonly actions: readonly HTMLElement[];
  readonly footnote: string | null;
  readonly receipt: Html | null;
}

export function statusPanel(): StatusPanel {
  const icon = el('div', { class: 'status-icon', attributes: { 'aria-hidden': 'true' } });
  const title = el('h2', { id: 'status-title' });
  const body = el('p');
  const actionArea = el('div', { class: 'status-actions' });
  const foot = el('p', { class: 'status-foot' });
  const more = el('div', { class: 'status-more' });
  const element = el(
    'section',
    { class: 'status', hidden: true, attributes: { 'aria-labelledby': 'status-title' } },
    icon,
    title,
    body,
    actionArea,
    foot,
    more,
  );
  let shown = '';
  let moreShown = '';
  return {
    element,
    show(status, focus, { actions, footnote, receipt }) {
      element.hidden = status === null;
      if (status === null) {
        shown = '';
        return;
      }
      const now = status.title + status.body;
      const same =
        [...actionArea.children].every((child, i) => child === actions[i]) &&
        actionArea.children.length === actions.length;
      if (!same) actionArea.replaceChildren(...actions);
      foot.textContent = footnote ?? '';
      foot.hidden = footnote === null;
      if (moreShown !== (receipt?.text ?? '')) more.replaceChildren(...(receipt ? nodesOf(receipt) : []));
      moreShown = receipt?.text ?? '';
      if (now === shown) return;
      if (element.dataset.tone !== status.tone) icon.replaceChildren(svg(icons[status.tone]));
      element.dataset.tone = status.tone;
      title.textContent = status.title;
      body.textContent = status.body;
      if (focus) focusOn(title);
      shown = now;
    },
  };
}
