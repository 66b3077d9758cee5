/** The command line of the benchmarks that run the whole service. */
import { parseArgs } from 'node:util';

export interface Options {
  readonly rounds: number;
  readonly operations: number;
  readonly atOnce: readonly number[];
  readonly temporalOnPostgres: boolean;
  readonly statements: boolean;
  readonly json: boolean;
}

export interface Usage {
  readonly name: string;
  readonly about: string;
  /** Of one round. */
  readonly operations: number;
  readonly atOnce: string;
}

/** Prints the help and exits on --help or an invalid option. */
export function readOptions(args: readonly string[], usage: Usage): Options {
  const help = helpOf(usage);
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: 'string', default: '5' },
        operations: { type: 'string', default: `${usage.operations}` },
        'at-once': { type: 'string', default: usage.atOnce },
        temporal: { type: 'string', default: 'postgres' },
        statements: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
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
      rounds: positive('rounds', values.rounds),
      operations: positive('operations', values.operations),
      atOnce: values['at-once'].split(',').map((each) => positive('at-once', each)),
      temporalOnPostgres: values.temporal === 'postgres',
      statements: values.statements,
      json: values.json,
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`);
    process.exit(1);
  }
}

function helpOf({ name, about, operations, atOnce }: Usage): string {
  return `Usage: npm run bench -- ${name} [options]

${about}
Starts the whole service as npm start does, in a directory of its own, and removes it afterwards.

  --temporal <which>  postgres (as in production; built with Go the first time) or development; default postgres
  --rounds <n>        each figure is the median of so many rounds (default 5)
  --operations <n>    operations in a round (default ${operations})
  --at-once <n,…>     how many at once; several are measured one after another (default ${atOnce})
  --statements        also counts the statements in the service's database, which costs some CPU time
  --json              one JSON document on standard output at the end, progress on standard error
  --help              this text

Keep the machine idle meanwhile: the report includes the load average.`;
}

function positive(name: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--${name} must be a positive integer.`);
  return Number(text);
}
