/** The command line of `npm run bench -- webhooks`. */
import { parseArgs } from 'node:util';
import type { Sizes } from './measure.ts';

const HELP = `Usage: npm run bench -- webhooks [options]

Compares our webhook delivery with graphile-worker, which sends the same signed request from the same database
(unbatched, concurrency 16), and with a plain loop without database, retries and records. Measures of each:
draining a backlog, publishing and delivering at once, and the delay from commit to receipt at a steady rate.
Then measures ten endpoints alone and beside ten bad ones. Starts its own PostgreSQL and Temporal and removes
them afterwards. Takes about twelve minutes.

  --rounds <n>      number of rounds; each figure is their median (default 5)
  --drained <n>     size of the backlog (default 10000)
  --published <n>   events published while being delivered (default 5000)
  --rate <n>        steady rate in events per second (default 100)
  --seconds <n>     duration of the steady rate (default 15)
  --json            one JSON document on standard output at the end, progress on standard error
  --help            this text

Keep the machine idle meanwhile: the report includes the load average.`;

export interface Options extends Sizes {
  readonly rounds: number;
  readonly json: boolean;
}

/** Prints the help and exits on --help or an invalid option. */
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
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`--${name} must be a positive integer.`);
  return Number(text);
}
