import { byId } from './dom.ts';

/** Says it to screen readers, politely; the same words twice are said twice. */
export function announce(text: string): void {
  const region = byId('announcer');
  region.textContent = '';
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}
