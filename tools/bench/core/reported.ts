/** The frame of a benchmark that reports its own figures: the stack, the machine's load, the JSON document. */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { announceMachine } from './figures.ts';
import type { Options } from './options.ts';
import { conditionsOf, drawPicture, type Panel } from './picture.ts';
import { openPlace, type Place } from './place.ts';

interface Setting {
  readonly place: Place;
  tell(line: string): void;
}

interface Measured {
  readonly figures: object;
  readonly panels: readonly Panel[];
}

export async function reported(options: Options, measure: (setting: Setting) => Promise<Measured>) {
  const tell = options.json ? console.error : console.log;
  const machine = announceMachine(tell);
  const place = await openPlace({ ...options, countStatements: options.statements });
  try {
    const { figures, panels } = await Promise.race([measure({ place, tell }), place.broken]);
    const loadAverageAfter = loadavg();
    tell(`load average afterwards ${loadAverageAfter.map((load) => load.toFixed(2)).join(' ')}`);
    const { temporalOnPostgres, rounds } = options;
    const document = { machine, loadAverageAfter, temporalOnPostgres, rounds, figures };
    if (options.svg) {
      const conditions = conditionsOf(options, machine, loadAverageAfter);
      await writeFile(options.svg, drawPicture({ title: options.name, conditions, panels }));
    }
    if (options.json) console.log(JSON.stringify(document, null, 2));
  } finally {
    await place.end();
  }
}
