/** Icons as inline markup, so that none is fetched. Each takes the colour of the text around it. */
import { Html } from './html.ts';

const icon = (paths: string) =>
  new Html(
    `<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${paths}</svg>`,
  );

export const icons = {
  busy: icon('<path class="spin" d="M12 3a9 9 0 1 1-9 9"/>'),
  action: icon('<path d="M12 3l7 3v5c0 4.6-2.9 8.4-7 10-4.1-1.6-7-5.4-7-10V6z"/><path d="M9 12l2 2 4-4"/>'),
  wait: icon(
    '<path d="M9.2 9.2a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.1-1.5 2.2"/><path d="M12 17.2v.01"/><circle cx="12" cy="12" r="9"/>',
  ),
  success: icon('<path class="draw" d="M5 12.5l4.5 4.5L19 7.5"/>'),
  failure: icon('<path d="M12 8v5"/><path d="M12 16.5v.01"/><circle cx="12" cy="12" r="9"/>'),
  clock: icon('<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>'),
  lock: icon('<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>'),
  card: icon('<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="M3 10h18"/><path d="M7 15h3"/>'),
  wallet: icon(
    '<path d="M4 7.5A2.5 2.5 0 0 1 6.5 5H18v4"/><path d="M4 7.5V17a2 2 0 0 0 2 2h14V9H6a2 2 0 0 1-2-1.5z"/><path d="M16 14h.01"/>',
  ),
  close: icon('<path d="M6 6l12 12"/><path d="M18 6L6 18"/>'),
};
