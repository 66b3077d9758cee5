/**
 * Computes a proof of work in chunks, so that the page stays responsive without a worker, which the content security
 * policy would have to allow.
 */
import { isFound, PROOF_PARTS, proofText } from '../../../domain/session/card-testing.ts';

const CHUNK = 64;
const encoder = new TextEncoder();

export async function prove(puzzle: string): Promise<string> {
  const found: number[] = [];
  for (let part = 0; part < PROOF_PARTS; part++) found.push(await search(puzzle, part));
  return found.join('.');
}

async function search(puzzle: string, part: number): Promise<number> {
  for (let from = 0; ; from += CHUNK) {
    const hashes = await Promise.all(
      Array.from({ length: CHUNK }, (_, i) =>
        crypto.subtle.digest('SHA-256', encoder.encode(proofText(puzzle, part, from + i))),
      ),
    );
    const at = hashes.findIndex((hash) => isFound(new Uint8Array(hash)));
    if (at >= 0) return from + at;
  }
}
