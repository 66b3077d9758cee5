/** What is made once for this checkout and kept: keys, passwords, secrets. Mode 600. */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @returns the secret of that name; `make` is asked the first time only */
export type Secrets = (name: string, make: () => string) => string;

export function openSecrets(file: string): Secrets {
  const known: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  mkdirSync(dirname(file), { recursive: true });
  return (name, make) => {
    const secret = known[name] ?? make();
    if (known[name] === undefined) {
      known[name] = secret;
      writePrivate(file, known);
    }
    return secret;
  };
}

/** A key that signs tokens, as a private JWK. */
export function newIdentityKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return JSON.stringify(privateKey.export({ format: 'jwk' }));
}

/** Whole or not at all, and readable by this user alone from the first byte on. */
export function writePrivate(file: string, value: unknown): void {
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}
