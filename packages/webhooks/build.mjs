/** `node build.mjs [directory]`: builds the library, its types and `webhooks-listen`, by default into dist/. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const from = import.meta.dirname;
const to = resolve(process.argv[2] ?? join(from, 'dist'));
const common = { bundle: true, platform: 'node', format: 'esm', target: 'node18.17', logLevel: 'warning' };

await build({ ...common, entryPoints: [join(from, 'src/index.ts')], outfile: join(to, 'index.js') });
await build({
  ...common,
  entryPoints: [join(from, 'src/listen.ts')],
  outfile: join(to, 'listen.js'),
});

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const types = join(to, 'types');
execFileSync(process.execPath, [tsc, '-p', join(from, 'tsconfig.build.json'), '--outDir', types], {
  stdio: 'inherit',
});
// Rewrite the specifiers in type declarations, which the compiler leaves unchanged.
for (const file of readdirSync(types, { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
  const text = readFileSync(join(types, file), 'utf8');
  writeFileSync(join(types, file), text.replaceAll(/(from '\.[\w./-]+)\.ts'/g, "$1.js'"));
}
