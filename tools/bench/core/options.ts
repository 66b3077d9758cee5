/** The command line of the benchmarks that run the whole service. */
import { parseArgs } from 'node:util';
import type { HowMany } from '../../../sandbox/stack/replicas.ts';

export interface Options {
  /** The benchmark's name, as typed after `npm run bench --`. */
  readonly name: string;
  readonly rounds: number;
  readonly operations: number;
  readonly atOnce: readonly number[];
  readonly temporalOnPostgres: boolean;
  /** Processes of the service. */
  readonly howMany: HowMany;
  readonly statements: boolean;
  readonly json: boolean;
  /** Path of the picture; null for none. */
  readonly svg: string | null;
  /** Options that only this benchmark has, by name. */
  readonly numbers: Readonly<Record<string, number>>;
}

export interface Usage {
  readonly name: string;
  readonly about: string;
  /** Operations per round, by default. */
  readonly operations: number;
  readonly atOnce: string;
  /** Options of this benchmark only. */
  readonly numbers?: Readonly<Record<string, { readonly value: number; readonly about: string }>>;
}

/** Prints the help and exits on --help or an invalid option. */
export function readOptions(args: readonly string[], usage: Usage): Options {
  const help = helpOf(usage);
  const own = Object.entries(usage.numbers ?? {});
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: 'string', default: '5' },
        operations: { type: 'string', default: `${usage.operations}` },
        'at-once': { type: 'string', default: usage.atOnce },
        temporal: { type: 'string', default: 'postgres' },
        apis: { type: 'string', default: '1' },
        workers: { type: 'string', default: '1' },
        statements: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        svg: { type: 'string' },
        help: { type: 'boolean', default: false },
        ...Object.fromEntries(
          own.map(([name, { value }]) => [name, { type: 'string', default: `${value}` }]),
        ),
      },
    });
    if (values.help) {
      console.log(help);
      process.exit(0);
    }
    if (!['postgres', 'development'].includes(values.temporal)) {
      throw new Error('--temporal must be postgres or development.');
    }
    return {
      name: usage.name,
      rounds: positive('rounds', values.rounds),
      operations: positive('operations', values.operations),
      atOnce: values['at-once'].split(',').map((each) => positive('at-once', each)),
      temporalOnPostgres: values.temporal === 'postgres',
      howMany: { apis: positive('apis', values.apis), workers: positive('workers', values.workers) },
      statements: values.statements,
      json: values.json,
      svg: values.svg ?? null,
      numbers: Object.fromEntries(
        own.map(([name, { value }]) => [name, number(name, String(Reflect.get(values, name)), value)]),
      ),
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`);
    process.exit(1);
  }
}

function helpOf({ name, about, operations, atOnce, numbers = {} }: Usage): string {
  const own = Object.entries(numbers).map(
    ([option, { value, about }]) => `  ${`--${option} <n>`.padEnd(18)}  ${about} (default ${value})\n`,
  );
  return `Usage: npm run bench -- ${name} [options]

${about}
Starts the whole service as npm start does, in a separate directory, and removes it afterwards.

  --temporal <which>  postgres (as in production; built with Go the first time) or development; default postgres
  --rounds <n>        each figure is the median of this many rounds (default 5)
  --operations <n>    operations in a round (default ${operations})
  --at-once <n,…>     concurrent operations; a list is measured one value after another (default ${atOnce})
  --apis <n>          API processes behind one address (default 1)
  --workers <n>       worker processes (default 1)
${own.join('')}  --statements        also counts the statements in the service's database, which costs some CPU time
  --json              one JSON document on standard output at the end, progress on standard error
  --svg <file>        also draws the figures as bars
  --help              this text

Keep the machine idle during the run: the report includes the load average.`;
}

/** @param byDefault a default of 0 allows 0 */
function number(name: string, text: string, byDefault: number): number {
  return byDefault === 0 && text === '0' ? 0 : positive(name, text);
}

function positive(name: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--${name} must be a positive integer.`);
  return Number(text);
}
