/** Like node-player.ts, with the client inside Vercel's edge runtime, which has web standards only. */
import { createInterface } from 'node:readline';
import { EdgeVM } from '@edge-runtime/vm';
import { build } from 'esbuild';

const { outputFiles } = await build({
  entryPoints: [`${import.meta.dirname}/play.ts`],
  bundle: true,
  write: false,
  format: 'iife',
  globalName: 'played',
  platform: 'neutral',
  logLevel: 'warning',
});
const edge = new EdgeVM();
edge.evaluate(outputFiles[0]?.text ?? '');
const outcomeOf: (line: string) => Promise<string> = edge.evaluate('played.outcomeOf');

for await (const line of createInterface({ input: process.stdin })) console.log(await outcomeOf(line));
