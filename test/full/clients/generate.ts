/** Generates clients from the API description as their users do, and checks each as strictly as its language allows. */
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { GO_ENV, runTool } from '../../../sandbox/stack/process/tool.ts';
import { pythonGenerator, typescriptGenerators } from './generator-tools.ts';
import { runGenerator } from './warnings.ts';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

export const DESCRIPTION = join(PROJECT_DIR, 'docs/openapi.json');
const PURCHASES = join(import.meta.dirname, 'purchases');

/** @param dir an empty directory @returns the program that buys with the client */
export type Generate = (dir: string) => Promise<Program>;

export const withOpenapiTypescript: Generate = async (dir) => {
  const tools = await typescriptGenerators();
  const script = join(tools, 'node_modules/openapi-typescript/bin/cli.js');
  const args = [script, DESCRIPTION, '-o', join(dir, 'description.d.ts')];
  await runGenerator('openapi-typescript', process.execPath, args);
  return compiled(dir, tools, join(PURCHASES, 'openapi-fetch.mts'));
};

export const withHeyApi: Generate = async (dir) => {
  const tools = await typescriptGenerators();
  const script = join(tools, 'node_modules/@hey-api/openapi-ts/bin/run.js');
  const args = [script, '-i', DESCRIPTION, '-o', join(dir, 'generated')];
  await runGenerator('@hey-api/openapi-ts', process.execPath, args);
  return compiled(dir, tools, join(PURCHASES, 'hey-api.mts'));
};

export const withPythonGenerator: Generate = async (dir) => {
  const python = join(await pythonGenerator(), 'bin/python');
  const generate = ['-m', 'openapi_python_client', 'generate', '--meta', 'none', '--overwrite'];
  const args = [...generate, '--path', DESCRIPTION, '--output-path', 'generated'];
  await runGenerator('openapi-python-client', python, args, dir);
  await cp(join(PURCHASES, 'python_client.py'), join(dir, 'purchase.py'));
  await runTool(python, ['-m', 'mypy', '--strict', 'purchase.py'], { cwd: dir });
  return { command: python, args: [join(dir, 'purchase.py')] };
};

/** For Go, by OpenAPI Generator. */
export async function withOpenapiGenerator(dir: string, generated: string): Promise<Program> {
  await cp(join(generated, 'go'), join(dir, 'checkout'), { recursive: true });
  await cp(join(PURCHASES, 'main.go'), join(dir, 'main.go'));
  await writeFile(
    join(dir, 'go.mod'),
    'module purchase\n\ngo 1.23\n\nrequire gopkg.in/validator.v2 v2.0.1\n',
  );
  const command = join(dir, 'purchase');
  await runTool('go', ['build', '-mod=mod', '-o', command, '.'], { cwd: dir, env: GO_ENV });
  return { command, args: [] };
}

/** Redocly's linter with its recommended rules; a warning is a failure. */
export async function lintDescription(): Promise<void> {
  const tools = await typescriptGenerators();
  await runNode(tools, '@redocly/cli/bin/cli.js', ['lint', DESCRIPTION, '--extends=recommended-strict']);
}

export async function compiled(dir: string, tools: string, purchase: string): Promise<Program> {
  await mkdir(dir, { recursive: true });
  await symlink(join(tools, 'node_modules'), join(dir, 'node_modules'));
  await writeFile(join(dir, 'package.json'), '{ "type": "module" }');
  await cp(purchase, join(dir, 'purchase.ts'));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(PROJECT_DIR, 'node_modules/@types')],
  };
  const project = join(dir, 'tsconfig.json');
  await writeFile(project, JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  await runNode(tools, 'typescript/bin/tsc', ['-p', project]);
  const outfile = join(dir, 'purchase.mjs');
  await build({
    entryPoints: [join(dir, 'purchase.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  return { command: process.execPath, args: [outfile] };
}

async function runNode(tools: string, script: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off' };
  await runTool(process.execPath, [join(tools, 'node_modules', script), ...args], { env });
}
