import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Client } from '@temporalio/client';
import type { ZodError } from 'zod';
import { predicate } from '../../../contract/core/why-invalid.ts';
import type { OperatorLinks } from '../../../contract/operations/incidents.ts';
import type { Pool } from '../../../db/core/pool.ts';
import { ENVIRONMENTS, type Environment } from '../../../domain/core/environment.ts';
import type { WebhookAgentOptions } from '../../../platform/outbound/agent.ts';
import type { SecretBox } from '../../../platform/secrets/encryption.ts';
import { temporalFailure } from '../../../platform/temporal/grpc-code.ts';
import type { Rail } from '../../../rail/rail.ts';
import type { SessionRunOptions } from '../../../workflows/session/session-start.ts';

export interface OpsContext {
  readonly pool: Pool;
  readonly temporal: Client;
  /** Options of the runs that a command starts. */
  readonly session: SessionRunOptions;
  readonly links: OperatorLinks;
  /** The API's addresses; empty if PUBLIC_URL is not set. */
  readonly processes: readonly { readonly name: string; readonly url: string }[];
  /** Limit in cents; null means that one person suffices. */
  readonly secondPersonAbove: number | null;
  /** For the audit log. @throws if OPS_TOKEN is not accepted */
  readonly actor: () => Promise<string>;
  readonly rails: () => Promise<ReadonlyMap<string, Rail>>;
  /** Where webhooks may go, and how long a receiver has. */
  readonly webhooks: Omit<WebhookAgentOptions, 'resolve'>;
  /** @throws if SECRETS_KEY is not set */
  readonly secretBox: () => SecretBox;
  /** @throws if API_KEY_PEPPER is not set */
  readonly apiKeyPepper: () => string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

export type OpsCommand = CommandLine & OnDatabase;
/** A command that never connects to PostgreSQL. */
export type OffDatabaseCommand = CommandLine & OffDatabase;

interface CommandLine {
  readonly usage: string;
  /** Text of `--help` below the usage: effects, requirements, exit codes. */
  readonly help?: string;
  /** Checks the arguments before any connection is opened. @throws WrongArguments */
  check?(args: readonly string[]): void;
}

interface OnDatabase {
  /**
   * @returns the exit code
   * @throws WrongArguments
   */
  run(args: readonly string[], context: OpsContext): Promise<number>;
  /** Runs instead while PostgreSQL is unreachable. */
  withoutDatabase?(args: readonly string[], context: ReachableContext, problem: string): Promise<number>;
}

interface OffDatabase {
  /** @returns the exit code */
  runOffDatabase(args: readonly string[], context: ReachableContext): Promise<number>;
}

/** The part of the context that does not depend on PostgreSQL. */
type ReachableContext = Pick<OpsContext, 'temporal' | 'processes'>;

/** Invalid command line: prints the usage, exit code 2. */
export class WrongArguments extends Error {
  override readonly name = 'WrongArguments';
}

const EVERY = { json: { type: 'boolean', default: false } } as const;

/**
 * @param most how many arguments besides options the command takes
 * @throws WrongArguments for more, too: a command that ignored a second id would report success for the first alone
 */
export function parseOpsArgs<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  most: number,
  options: Options,
) {
  const parsed = parsedArgs(args, options);
  const unexpected = parsed.positionals.slice(most).join(' ');
  if (unexpected) throw new WrongArguments(`Unexpected arguments: ${unexpected}.`);
  return parsed;
}

function parsedArgs<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { ...options, ...EVERY } });
  } catch (error) {
    // "Unknown option '--x'. To specify a positional argument …": only the first sentence helps.
    throw new WrongArguments((error as Error).message.split('. ')[0]);
  }
}

/** @throws WrongArguments */
export function environmentOf(given: string | undefined): Environment | undefined {
  const environment = ENVIRONMENTS.find((each) => each === given);
  if (given !== undefined && !environment)
    throw new WrongArguments('--environment must be sandbox or production.');
  return environment;
}

/** Reports a failed call without the client's stack. */
export async function temporalAnswers<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const failure = temporalFailure(error);
    if (!failure) throw error;
    throw new Error(`Temporal does not answer: ${failure}. See npm run ops -- health.`);
  }
}

/** @param given options keyed by schema field; `optionOf` maps a field to its CLI flag */
export function wrongOption(
  { issues: [issue] }: ZodError,
  given: Readonly<Record<string, unknown>>,
  optionOf: (name: string) => string = (name) => name,
): WrongArguments {
  const name = String(issue?.path[0]);
  const fault = issue && given[name] !== undefined ? predicate(issue) : 'is required';
  return new WrongArguments(`--${optionOf(name)} ${fault}.`);
}
