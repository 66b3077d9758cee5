import { byId } from './dom.ts';

let announced = '';

/** Announces text to screen readers. Clearing the region first makes them read repeated text again. */
export function announce(text: string): void {
  const region = byId('announcer');
  announced = text;
  region.textContent = '';
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}

/** Removes an announcement that is over, unless another one has replaced it. */
export function retract(text: string): void {
  if (announced === text) announce('');
}

/**
 * Focuses a heading or a message that has just appeared, and that Tab does not reach: screen readers then read it
 * instead of the announcement that it replaces.
 */
export function focusOn(element: HTMLElement): void {
  announce('');
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}
