/** Detects keys that somebody typed instead of generating them. */

/** 32 random bytes contain about 30 different values; fewer than 16 occur once in 10^13 keys. */
const LEAST_DIFFERENT = 16;

export function isGuessable(bytes: Uint8Array): boolean {
  const steps = bytes.map((byte, at) => byte - (bytes[at - 1] ?? byte)).subarray(1);
  return new Set(bytes).size < LEAST_DIFFERENT || repeats(bytes) || repeats(steps);
}

/** True if a part is repeated, as in `abcabcab`. */
function repeats(bytes: Uint8Array): boolean {
  const half = Math.floor(bytes.length / 2);
  return Array.from({ length: half }, (_, at) => at + 1).some((period) =>
    bytes.subarray(period).every((byte, at) => byte === bytes[at]),
  );
}
