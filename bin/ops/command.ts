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
  /** @returns the exit code */
  run(args: readonly string[], context: OpsContext): Promise<number>;
}
