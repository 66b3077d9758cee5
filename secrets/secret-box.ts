/**
 * Secrets at rest (webhook secrets, rail credentials, mandates, card tokens): AES-256-GCM under SECRETS_KEY.
 * Layout: 12 bytes nonce, 16 bytes tag, ciphertext.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class SecretBox {
  readonly #key: Buffer;
  /** Processes of the last release still run: what is written has to be readable for them. */
  readonly lastReleaseRuns: boolean;

  /** @param keyBase64 32 bytes */
  constructor(keyBase64: string, { lastReleaseRuns = false } = {}) {
    this.lastReleaseRuns = lastReleaseRuns;
    this.#key = Buffer.from(keyBase64, 'base64');
    if (this.#key.length !== 32) throw new RangeError('SECRETS_KEY must be 32 bytes in base64');
  }

  seal(plain: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws if the key differs or the bytes were altered */
  open(sealed: Buffer): string {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce);
    decipher.setAuthTag(tag);
    return (
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }
}
