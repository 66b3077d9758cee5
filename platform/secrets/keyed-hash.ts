/** Hashes of values that the service must recognise but never read. */
import { createHmac } from 'node:crypto';

/** Addresses are personal data, and a card's fingerprint identifies its owner, so both are stored hashed (rule 53). */
export function keyedHash(pepper: string, kind: 'address' | 'card', value: string): Buffer {
  return createHmac('sha256', pepper).update(`${kind} ${value}`).digest();
}
