/** Determines the actor: the person of the token in OPS_TOKEN, or else the machine's user; never free text. */
import { userInfo } from 'node:os';
import { type PeopleOptions, tokenReader } from '../../../api/http/authentication/access-token.ts';
import type { Person } from '../../../api/http/person.ts';
import { PERMISSIONS } from '../../../domain/core/permissions.ts';

/**
 * @returns the actor of audit rows
 * @throws Error if the token is not valid, or its person may not operate the installation
 */
export async function actorOf(token: string | undefined, people: PeopleOptions | null): Promise<string> {
  if (!token) return `operator:${userInfo().username}`;
  if (!people) throw new Error('OPS_TOKEN is set: set OIDC_ISSUER and OIDC_AUDIENCE as well, or unset it.');
  const { actor, roles } = await tokenReader(people)(token).catch((error: Error): Person => {
    throw new Error(`OPS_TOKEN is not accepted: ${error.message}`);
  });
  const allowed: readonly string[] = PERMISSIONS.operate;
  if (!roles.some((role) => allowed.includes(role)))
    throw new Error(`OPS_TOKEN's role may not do this: ${allowed.join(' or ')} is required.`);
  return actor;
}
