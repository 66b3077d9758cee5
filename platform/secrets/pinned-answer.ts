/** Idempotent responses that carry a secret: pinned encrypted, replayed unchanged. */

import type { SecretBox } from './encryption.ts';
import type { Place } from './places.ts';

export interface SealedAnswer {
  /** The body's exact text, encrypted, in base64. */
  readonly sealedBody: string;
}

export function sealAnswer<Answer extends { readonly body: string }>(
  box: SecretBox,
  { body, ...head }: Answer,
  place: Place,
): Omit<Answer, 'body'> & SealedAnswer {
  return { ...head, sealedBody: box.seal(body, place).toString('base64') };
}

export function openAnswer<Answer extends SealedAnswer>(
  box: SecretBox,
  { sealedBody, ...head }: Answer,
  place: Place,
): Omit<Answer, 'sealedBody'> & { body: string } {
  return { ...head, body: box.open(Buffer.from(sealedBody, 'base64'), place) };
}
