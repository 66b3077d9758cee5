/**
 * `npm run night [-- --only <text> …] [--short] [--rate <n>] [--write]`: breaks the service under n purchases a second
 * (0.5), settles each break, and prints how and when operators were notified. Exit code: 1 if one was not reported, not
 * shown by its first command, or did not clear.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { ON_CALL } from '../docs/on-call-sections.ts';
import { BREAKS, type Break } from './breaks.ts';
import { openNight } from './night.ts';
import { sufferThrough, type Told, tableOf } from './watch.ts';

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [''] },
    short: { type: 'boolean', default: false },
    rate: { type: 'string', default: '0.5' },
    write: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(
    `Usage: npm run night [-- --only <text> …] [--short] [--rate <n>] [--write]\n\n--rate: purchases a second; 2 cores carry 9 if nothing else runs. --write puts the table and its conditions into ${ON_CALL}.\n\nBreaks:\n${BREAKS.map(({ name }) => `  ${name}`).join('\n')}`,
  );
  process.exit(0);
}
const rate = Number(values.rate);
if (!(rate > 0 && rate < Infinity)) {
  console.error('--rate must be a positive number of purchases a second.');
  process.exit(1);
}
const chosen = BREAKS.filter(
  ({ name, isLong }) => values.only.some((text) => name.includes(text)) && !(values.short && isLong),
);
if (values.write && chosen.length < BREAKS.length)
  throw new Error('--write needs every break: omit --only and --short.');
const night = await openNight(rate);
const told: Told[] = [];
let load = 0;
try {
  for (const each of chosen) {
    const one = await sufferThrough(night, each).catch((error: Error) => failed(each, error));
    console.error(JSON.stringify(one));
    told.push(one);
    load = Math.max(load, loadavg()[0] ?? 0);
  }
} finally {
  await night.stop();
}
const conditions = `\`npm run night\`, ${new Date().toISOString().slice(0, 10)}: ${availableParallelism()} cores, ${values.rate} purchases/s, load up to ${Math.ceil(load)}, short look-ups:`;
console.log(`${conditions}\n\n${tableOf(told)}`);
if (values.write) {
  const text = readFileSync(ON_CALL, 'utf8')
    .replace(/^`npm run night`.*:$/m, () => conditions)
    .replace(/^\|Break\|[^#]+\|$/m, () => tableOf(told));
  writeFileSync(ON_CALL, text);
}

function failed({ name }: Break, { message }: Error): Told {
  return {
    name,
    toldAfter: null,
    by: '',
    words: message,
    settledAfter: null,
    clearedAfter: null,
  };
}

const isWell = told.every(
  ({ toldAfter, words, clearedAfter }) => toldAfter !== null && words !== '' && clearedAfter !== null,
);
process.exit(isWell ? 0 : 1);
