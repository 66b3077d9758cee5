/** Keys, passwords and secrets, generated once per working copy. Mode 600, in a folder of mode 700. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @returns the stored secret; calls `make` only the first time */
export type Secrets = (name: string, make: () => string) => string;

export function openSecrets(file: string): Secrets {
  const known: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  mkdirSync(dirname(file), { recursive: true });
  // Databases, logs and dev.json with its keys are next to the file; earlier versions left the folder
  // readable.
  chmodSync(dirname(file), 0o700);
  return (name, make) => {
    const secret = known[name] ?? make();
    if (known[name] === undefined) {
      known[name] = secret;
      writePrivate(file, known);
    }
    return secret;
  };
}

export interface StackSecrets {
  readonly apiKeyPepper: string;
  readonly secretsKey: string;
  readonly identityKey: string;
  readonly identitySecret: string;
  readonly postgresPassword: string;
}

export function stackSecrets(secret: Secrets): StackSecrets {
  return {
    apiKeyPepper: secret('apiKeyPepper', () => randomBytes(32).toString('hex')),
    secretsKey: secret('secretsKey', () => randomBytes(32).toString('base64')),
    identityKey: secret('identityKey', newIdentityKey),
    identitySecret: secret('identitySecret', () => randomBytes(32).toString('hex')),
    postgresPassword: secret('postgresPassword', () => randomBytes(16).toString('hex')),
  };
}

/** A private signing key, as a JWK. */
export function newIdentityKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return JSON.stringify(privateKey.export({ format: 'jwk' }));
}

/** Writes atomically, and readable by this user only from the first byte. */
export function writePrivate(file: string, value: unknown): void {
  const unfinished = `${file}.unfinished`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}
