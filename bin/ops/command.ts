import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Client } from '@temporalio/client';
import type { Pool } from '../../db/pool.ts';
import type { SecretBox } from '../../db/secret-box.ts';
import type { Rail } from '../../rail/rail.ts';

export interface OpsContext {
  readonly pool: Pool;
  readonly temporal: Client;
  readonly rails: () => ReadonlyMap<string, Rail>;
  /** @throws with words when the key is not known here */
  readonly secretBox: () => SecretBox;
  readonly env: NodeJS.ProcessEnv;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

export interface OpsCommand {
  readonly usage: string;
  /** What `--help` says beside the usage: what happens, what is needed, what the exit codes mean. */
  readonly help?: string;
  /**
   * @returns the exit code
   * @throws WrongArguments
   */
  run(args: readonly string[], context: OpsContext): Promise<number>;
}

/** The command line is not as the usage says: exit code 2, with the usage. */
export class WrongArguments extends Error {
  override readonly name = 'WrongArguments';
}

/** @throws WrongArguments */
export function parseOpsArgs<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // "Unknown option '--x'. To specify a positional argument …": the first sentence is the useful one.
    throw new WrongArguments((error as Error).message.split('. ')[0]);
  }
}
