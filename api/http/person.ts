/**
 * A person, as described by their access token. This file is outside `authentication/` because `exchange.ts`,
 * which serves every route, stores a person.
 */
import type { Role } from '../../domain/core/permissions.ts';

export interface Person {
  /** For the audit log: `person:` and their id at the provider. */
  readonly actor: string;
  readonly roles: readonly Role[];
  readonly merchants: readonly string[];
}
