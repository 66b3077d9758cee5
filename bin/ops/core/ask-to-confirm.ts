/** Asks for confirmation at the terminal before an irreversible change. */
import { createInterface } from 'node:readline/promises';
import { plain } from '../../../contract/core/plain-output.ts';
import { type OpsContext, WrongArguments } from './command.ts';

/**
 * @returns whether the person agreed
 * @throws WrongArguments without a terminal; scripts pass `--yes`
 */
export async function confirmed(
  question: string,
  input: OpsContext['input'],
  yes: boolean,
): Promise<boolean> {
  if (yes) return true;
  if (!input.isTTY) throw new WrongArguments('Without a terminal, --yes is required.');
  const terminal = createInterface({ input, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${plain(question)} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
