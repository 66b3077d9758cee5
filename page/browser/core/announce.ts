import { byId } from './dom.ts';

/** Announces text to screen readers. Clearing the region first makes them read repeated text again. */
export function announce(text: string): void {
  const region = byId('announcer');
  region.textContent = '';
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}
