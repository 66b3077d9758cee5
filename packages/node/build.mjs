/**
 * `node build.mjs [directory]`: builds ES modules, CommonJS, their types and the command line, by default into dist/,
 * with the project's own compilers. There, `npx hosted-checkout` runs the command line afterwards.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const from = import.meta.dirname;
const to = resolve(process.argv[2] ?? join(from, 'dist'));
const common = { bundle: true, target: 'es2022', logLevel: 'warning', legalComments: 'none' };

const library = { ...common, entryPoints: [join(from, 'src/index.ts')], platform: 'neutral' };
await build({ ...library, format: 'esm', outfile: join(to, 'index.js') });
await build({ ...library, format: 'cjs', outfile: join(to, 'index.cjs') });
await build({
  ...common,
  entryPoints: [join(from, 'cli/main.ts')],
  platform: 'node',
  format: 'esm',
  outfile: join(to, 'cli.js'),
  banner: { js: '#!/usr/bin/env node' },
});

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(from, 'tsconfig.build.json'), '--outDir', to], {
  stdio: 'inherit',
});
// Make the types reference the files that exist: .js beside ES modules, .cjs beside CommonJS.
for (const file of readdirSync(to).filter((name) => name.endsWith('.d.ts'))) {
  const types = readFileSync(join(to, file), 'utf8');
  const withExtension = (extension) => types.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, `$1.${extension}'`);
  writeFileSync(join(to, file), withExtension('js'));
  writeFileSync(join(to, file.replace('.d.ts', '.d.cts')), withExtension('cjs'));
}

// The program does not exist yet when npm installs the clone, so npm does not link it.
const program = join(to, 'cli.js');
chmodSync(program, 0o755);
if (!process.argv[2]) {
  const link = join(from, '../../node_modules/.bin/hosted-checkout');
  rmSync(link, { force: true });
  symlinkSync(program, link);
}
