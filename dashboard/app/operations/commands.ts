/** The commands that the API offers for a subject and that have a dialog here. */
import type { Schemas } from '../api/description.ts';
import { words } from '../words/words.ts';

export type CommandName = keyof typeof words.operations.commands;
export interface OfferedCommand {
  readonly name: CommandName;
  /** The incident that the command closes. */
  readonly kind: Schemas['Incident']['kind'] | null;
}

export function offeredCommands(
  offered: Schemas['OperatorExplanation']['commands'],
): readonly OfferedCommand[] {
  return offered.flatMap(({ command, incident_kind: kind }) =>
    hasDialog(command) ? [{ name: command, kind }] : [],
  );
}

function hasDialog(command: string): command is CommandName {
  return command in words.operations.commands;
}
