/** Hashes of values that the service must recognise but never read. */
import { createHmac } from 'node:crypto';

/**
 * Addresses are personal data, a card's fingerprint identifies its owner (rule 53), and a rail's keys are secret, so all are
 * stored hashed.
 */
export function keyedHash(pepper: string, kind: 'address' | 'card' | 'railKeys', value: string): Buffer {
  return createHmac('sha256', pepper).update(`${kind} ${value}`).digest();
}
