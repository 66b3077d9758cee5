/** What `npm run bench -- webhooks` is told on its command line. */
import { parseArgs } from 'node:util';
import type { Sizes } from './measure.ts';

const HELP = `Usage: npm run bench -- webhooks [options]

Measures our delivery of webhooks beside graphile-worker, which sends the same signed request from the same
database (unbatched, concurrency 16), and beside a plain loop without database, retry and record. Of each: a
backlog drained, published and delivered at once, and the delay from commit to receipt at a steady rate. Then
ten endpoints alone and beside ten bad ones. Starts PostgreSQL and Temporal of its own and removes them. Takes
about twelve minutes.

  --rounds <n>      measures all in turn so often, and takes the median of each figure (default 5)
  --drained <n>     deliveries of the backlog (default 10000)
  --published <n>   deliveries published while they are delivered (default 5000)
  --rate <n>        events a second at the steady rate (default 100)
  --seconds <n>     how long the steady rate lasts (default 15)
  --json            one JSON document on standard output when all is done, progress on standard error
  --help            this text

Leave the machine alone meanwhile: load average is part of the report.`;

export interface Options extends Sizes {
  readonly rounds: number;
  readonly json: boolean;
}

/** Ends the process with the help when that is asked for, or when an option is not understood. */
export function readOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: { type: 'string', default: '5' },
        drained: { type: 'string', default: '10000' },
        published: { type: 'string', default: '5000' },
        rate: { type: 'string', default: '100' },
        seconds: { type: 'string', default: '15' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      process.exit(0);
    }
    return {
      rounds: positive('rounds', values.rounds),
      drained: positive('drained', values.drained),
      published: positive('published', values.published),
      ratePerSecond: positive('rate', values.rate),
      steadySeconds: positive('seconds', values.seconds),
      json: values.json,
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`);
    process.exit(1);
  }
}

function positive(name: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--${name} takes a positive whole number.`);
  return Number(text);
}
