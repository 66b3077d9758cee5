/** A merchant's account at a processor, and the findings of its set-up. */
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
  /** The stored form, which identifies the credential that a rejection is about. */
  readonly sealedCredential?: Buffer;
}

export interface RailCredentialField {
  readonly name: string;
  /**
   * The variable from which `npm run ops -- rail set` reads it; never an argument, which other users of the machine
   * can see.
   */
  readonly environmentVariable: string;
  readonly description: string;
}

export interface RailProbe {
  /** True if the account can take cards now, in at least one currency of the service. */
  readonly usable: boolean;
  /**
   * The processor's id of the account; a different id is a different account. Null if the processor did not
   * say, or if the credential cannot belong to this account (wrong mode); the credential is then not stored.
   */
  readonly identity: string | null;
  readonly capabilities: RailCapabilities;
  /** One sentence each, for the operator: the account's capabilities, missing ones, and why they are missing. */
  readonly findings: readonly RailFinding[];
}
