/** Carries out operators' commands: immediately, or after a second person has confirmed. */
import type { CommandAnswer, OperatorCommand } from '../../contract/operations/commands.ts';
import { TAKES } from '../../contract/operations/fitting-commands.ts';
import type { Subject } from '../../contract/operations/subjects.ts';
import type { Actor } from '../../db/core/audit.ts';
import { runCommand } from './command-handlers.ts';
import type { OperateDeps } from './operate-deps.ts';
import { OperationRefused } from './refused.ts';
import { storeForSecondPerson } from './second-person.ts';

/** @throws OperationRefused, whose message states what to do */
export async function carryOut(
  deps: OperateDeps,
  subject: Subject,
  command: OperatorCommand,
  actor: Actor,
): Promise<CommandAnswer> {
  refuseMisfit(subject, command);
  const stored = await storeForSecondPerson(deps, subject, command, actor);
  return stored ?? runCommand(deps, subject, command, actor);
}

function refuseMisfit({ kind, id }: Subject, command: OperatorCommand): void {
  const takes = TAKES[command.command];
  if (!takes.includes(kind)) {
    throw new OperationRefused(
      `${id} is a ${kind}: ${command.command} takes the id of a ${takes.join(' or ')}.`,
    );
  }
}
