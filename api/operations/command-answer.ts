/** Answers to operators' commands that no second person has to confirm. */
import type { CommandAnswer, OperatorCommand } from '../../contract/operations/commands.ts';

export type CommandName = OperatorCommand['command'];
export type CommandOf<Name extends CommandName> = Extract<OperatorCommand, { readonly command: Name }>;

export const done = (message: string): CommandAnswer => ({ done: true, message, waiting_request: null });
export const notDone = (message: string): CommandAnswer => ({ ...done(message), done: false });
