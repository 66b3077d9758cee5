/** A merchant's account at a processor, and the findings of a probe. */
import type { Environment } from '../domain/core/environment.ts';
import type { RailCapabilities } from '../domain/payment/rail-capabilities.ts';
import type { RailFinding } from '../domain/payment/rail-finding.ts';

/** A merchant's account at a processor, with its credential decrypted. */
export interface RailAccount {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly rail: string;
  readonly status: 'activating' | 'active' | 'disabled';
  readonly capabilities: RailCapabilities;
  /** Secret. Only the adapter knows its shape; it never appears in an error or a log. */
  readonly credential: Readonly<Record<string, string>>;
  /** The stored, encrypted credential: shows which credential a rejection is about. */
  readonly sealedCredential?: Buffer;
}

export interface RailCredentialField {
  readonly name: string;
  /**
   * The environment variable from which `npm run ops -- rail set` reads the field. Not an argument, because other users
   * of the machine can see arguments.
   */
  readonly environmentVariable: string;
  readonly description: string;
}

export interface RailProbe {
  /** True if the account can take cards now, in at least one currency of the service. */
  readonly usable: boolean;
  /**
   * The processor's id of the account; another id means another account. Null if the processor did not report it, or if
   * the credential cannot belong to this account (wrong mode), in which case it is not stored.
   */
  readonly identity: string | null;
  readonly capabilities: RailCapabilities;
  /** Operator-readable findings: which capabilities the account has, which it lacks, and why. */
  readonly findings: readonly RailFinding[];
}
