/** Shared by the commands. */
import type { ParseArgsOptionsConfig } from 'node:util';
import type { WebhookEvent } from '../../src/index.ts';

/** The prefix of ids that the API lists. */
export type IdKind =
  | 'ap_chk_'
  | 'ap_cus_'
  | 'ap_inv_'
  | 'ap_pay_'
  | 'ap_prod_'
  | 'ap_sub_'
  | 'ap_whe_'
  | 'evt_';

export const COMMON_OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  url: { type: 'string' },
  key: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

export interface Given {
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

export interface Command {
  /** A few words about the command. */
  readonly summary: string;
  readonly help: string;
  readonly options?: ParseArgsOptionsConfig;
  /** Values of the first argument, for the shell's completion. */
  readonly words?: readonly string[];
  /** Kinds of ids that the shell completes, by the name of the option; '' stands for the first argument. */
  readonly ids?: Readonly<Record<string, readonly IdKind[]>>;
  run(given: Given): Promise<void>;
}

/** Thrown if the command line does not follow the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Thrown if the command failed for a reason that needs no stack trace. */
export class FailedError extends Error {
  override readonly name = 'FailedError';
}

/** The exit code of a command that worked but whose result was not the desired one, such as a decline. */
export const UNWANTED_ANSWER = 3;

export function textOf({ values }: Given, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** @throws UsageError */
export function positiveNumber(given: Given, name: string, otherwise: number): number {
  const text = textOf(given, name);
  const value = text === undefined ? otherwise : Number(text);
  if (!(value > 0)) throw new UsageError(`--${name} must be a positive number.`);
  return value;
}

/** Prints the value as one line of JSON with --json, otherwise the text. */
export function print(given: Given, value: unknown, text: string): void {
  console.log(given.values.json ? JSON.stringify(value) : text);
}

/** Returns the value of `--type`, which the API checks. */
export function eventTypeOf(given: Given): WebhookEvent['type'] | undefined {
  return textOf(given, 'type') as WebhookEvent['type'] | undefined;
}
