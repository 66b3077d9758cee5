/**
 * The code samples of the documents and of the API reference: JavaScript is checked against the types of the clients, Python against its
 * grammar.
 * @reads README.md docs packages
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeSamples } from '../../contract/openapi/code-samples.ts';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { description } from '../support/api/api-description.ts';
import { documents, read } from './documents.ts';

const run = promisify(execFile);

/** Names that a sample uses without declaring them, because it is part of a program. */
const AT_HAND = `declare const productId: string;
declare const paymentId: string;
declare const orderId: string;
declare const rawBody: string;
declare const secret: string;
declare const request: { readonly headers: Readonly<Record<string, string | undefined>> };
declare function deliver(paymentId: string): void;
`;

const guides = documents.filter(
  (path) =>
    path === 'README.md' || /^docs\/[\w-]+\.md$/.test(path) || /^packages\/[\w-]+\/README\.md$/.test(path),
);
const inGuides = guides.flatMap((document) =>
  [...read(document).matchAll(/^```(js|ts|python)\n([\s\S]*?)^```/gm)].map(
    ([, language = '', code = ''], n) => ({
      language,
      code,
      name: `${document.replace(/\W+/g, '-')}-${n}`,
    }),
  ),
);
const inReference = Object.entries(codeSamples(description)).flatMap(
  ([operation, { JavaScript, Python }]) => {
    const name = `reference-${operation.replace(/\W+/g, '-')}`;
    return [
      { language: 'js', code: JavaScript, name },
      { language: 'python', code: Python, name },
    ];
  },
);
const samples = [...inGuides, ...inReference];
const inLanguage = (...names: readonly string[]) =>
  samples.filter(({ language }) => names.includes(language));

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'samples-'));
  await symlink(join(PROJECT_DIR, 'node_modules'), join(dir, 'node_modules'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test('the documents have samples of each client', () => {
  const of = (document: string) => samples.filter(({ name }) => name.startsWith(document)).length;
  for (const each of [
    'packages-node',
    'packages-python',
    'packages-webhooks',
    'docs-one-off',
    'docs-webhooks',
  ])
    expect([each, of(each)]).not.toEqual([each, 0]);
});

test('the reference has a sample in three languages for every operation', () => {
  const operations = Object.entries(description.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method} ${path}`),
  );
  const given = codeSamples(description);
  expect(Object.keys(given).sort()).toEqual(operations.sort());
  for (const { curl, JavaScript, Python } of Object.values(given)) {
    expect(`${curl}${JavaScript}${Python}`).not.toMatch(/undefined|\[object/);
    expect([curl, JavaScript, Python]).toEqual([
      expect.stringMatching(/^curl /),
      expect.stringMatching(/await (client\.|fetch)/),
      expect.stringMatching(/ = (client\.|httpx)/),
    ]);
  }
});

test('JavaScript is valid, and matches the clients’ types', async () => {
  await writeFile(join(dir, 'at-hand.d.ts'), AT_HAND);
  const files = inLanguage('js', 'ts').map(({ name, language, code }) => ({
    file: `${name}.${language === 'js' ? 'mjs' : 'mts'}`,
    // Turns a sample without imports into a module.
    code: `${code}\nexport {};\n`,
  }));
  for (const { file, code } of files) await writeFile(join(dir, file), code);
  const source = (name: string) => [join(PROJECT_DIR, 'packages', name, 'src/index.ts')];
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    noEmit: true,
    allowImportingTsExtensions: true,
    allowJs: true,
    checkJs: true,
    strict: true,
    noImplicitAny: false,
    skipLibCheck: true,
    types: ['node'],
    paths: { 'hosted-checkout': source('node'), 'hosted-checkout-webhooks': source('webhooks') },
  };
  const config = { compilerOptions, files: ['at-hand.d.ts', ...files.map(({ file }) => file)] };
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(PROJECT_DIR, 'node_modules/typescript/bin/tsc');
  const said = await run(process.execPath, [tsc, '-p', '.'], { cwd: dir }).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
  expect(said).toBe('');
});

(hasPython() ? test : test.skip)('Python compiles, and imports what it uses from the client', async () => {
  for (const { name, code } of inLanguage('python')) await writeFile(join(dir, `${name}.py`), code);
  await writeFile(join(dir, 'check.py'), CHECK);
  const names = inLanguage('python').map(({ name }) => `${name}.py`);
  const { stdout } = await run('python3', ['check.py', join(PROJECT_DIR, 'packages/python/src'), ...names], {
    cwd: dir,
  });
  expect(stdout).toBe('');
});

/** Parses the client's source for its exports, so its dependencies need not be installed. */
const CHECK = `import ast, pathlib, sys

source, *names = sys.argv[1:]
tree = ast.parse(pathlib.Path(source, "hosted_checkout/__init__.py").read_text())
public = {alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
for name in names:
    sample = compile(pathlib.Path(name).read_text(), name, "exec", ast.PyCF_ONLY_AST)
    for node in ast.walk(sample):
        if isinstance(node, ast.ImportFrom) and node.module == "hosted_checkout":
            for alias in node.names:
                if alias.name not in public:
                    print(f"{name}: hosted_checkout has no {alias.name}")
`;

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
