/** In Node.js, Deno and Bun: plays one request per line of standard input, and prints its outcome as a line. */
import { createInterface } from 'node:readline';
import { outcomeOf } from './play.ts';

for await (const line of createInterface({ input: process.stdin })) console.log(await outcomeOf(line));
