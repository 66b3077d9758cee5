/** The server's clock and the countdown. The browser's clock may be wrong: only elapsed time is measured here. */

import { icons } from '../../document/icons.ts';
import type { Words } from '../../document/words.ts';
import { plural } from '../../document/words.ts';
import { announce } from './announce.ts';
import { el, svg } from './dom.ts';

let serverAtZero = 0;

export function setServerTime(instant: string): void {
  serverAtZero = Date.parse(instant) - performance.now();
}

export function serverNow(): number {
  return serverAtZero + performance.now();
}

const SPOKEN_MINUTES = [5, 1];
/** The countdown starts this long before the expiry; earlier, it would only hurry buyers. */
const SHOWN_MS = 5 * 60_000;

export interface Countdown {
  readonly element: HTMLElement;
  /** @param wanted whether the page is waiting for the buyer */
  update(expiresAt: string, wanted: boolean): void;
  stop(): void;
}

/** Counts down the last five minutes: shown every second, announced at 5 minutes and at 1 minute. */
export function countdown(words: Words, onOver: () => void): Countdown {
  const time = el('span', { class: 'countdown-time', attributes: { role: 'timer' } });
  const element = el(
    'p',
    { class: 'countdown' },
    el('span', { class: 'visually-hidden' }, `${words.strings.timeLeft} `),
    svg(icons.clock),
    time,
  );
  let expiresAtMs = 0;
  let spokenAt = Number.POSITIVE_INFINITY;
  let over = false;
  let isWanted = false;
  const timer = setInterval(tick, 1_000);

  function tick(): void {
    const leftMs = expiresAtMs - serverNow();
    time.textContent = clockFace(leftMs);
    element.hidden = !isWanted || leftMs <= 0 || leftMs > SHOWN_MS;
    const minutes = SPOKEN_MINUTES.find((each) => leftMs <= each * 60_000 && leftMs > each * 60_000 - 3_000);
    if (minutes !== undefined && minutes < spokenAt) {
      spokenAt = minutes;
      announce(plural(words, words.strings.minutesLeftSpoken, minutes));
    }
    if (leftMs > 0 || over) return;
    over = true;
    onOver();
  }

  return {
    element,
    update(expiresAt, wanted) {
      isWanted = wanted;
      if (Date.parse(expiresAt) !== expiresAtMs) over = false;
      expiresAtMs = Date.parse(expiresAt);
      tick();
    },
    stop: () => clearInterval(timer),
  };
}

function clockFace(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
