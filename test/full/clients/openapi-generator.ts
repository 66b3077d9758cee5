/** OpenAPI Generator: every language in one process, and a program that calls the API with three of the clients. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../../../sandbox/stack/process/tool.ts';
import { compiled, DESCRIPTION, type Program } from './generate.ts';
import { generatedPython, openapiGenerator, typescriptGenerators } from './generator-tools.ts';
import { runGenerator } from './warnings.ts';

const CALLS = join(import.meta.dirname, 'calls');
const ONLY_CODE = { apiDocs: 'false', modelDocs: 'false', apiTests: 'false', modelTests: 'false' };

/** With the options that a merchant's developer would choose. */
const LANGUAGES: Readonly<Record<string, object>> = {
  java: { library: 'native', additionalProperties: { openApiNullable: false } },
  go: { additionalProperties: { packageName: 'checkout', withGoMod: false } },
  python: { additionalProperties: { packageName: 'checkout' } },
  'typescript-fetch': {},
  csharp: {},
  php: {},
  ruby: {},
};

/** For programs that end before the second compiler pays: half of the CPU time. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Generates a client for each language into a folder of its name. @throws Error if the description has a fault */
export async function generateAll(dir: string): Promise<void> {
  const jar = await openapiGenerator();
  const program = [...SHORT_LIVED, '-jar', jar];
  await runGenerator('OpenAPI Generator', 'java', [...program, 'validate', '-i', DESCRIPTION]);
  const files = Object.entries(LANGUAGES).map(async ([generatorName, options]) => {
    const file = join(dir, `${generatorName}.json`);
    const outputDir = join(dir, generatorName);
    const globalProperties = { apis: '', models: '', supportingFiles: '', ...ONLY_CODE };
    await writeFile(
      file,
      JSON.stringify({ generatorName, inputSpec: DESCRIPTION, outputDir, globalProperties, ...options }),
    );
    return file;
  });
  const batch = [...program, 'batch', '--threads', '2', '--fail-fast', ...(await Promise.all(files))];
  await runGenerator('OpenAPI Generator', 'java', batch);
}

export type Call = (generated: string) => Promise<Program>;

export const inJava: Call = async (generated) => {
  const dir = join(generated, 'java');
  await cp(join(CALLS, 'Call.java'), join(dir, 'src/main/java/Call.java'));
  const goals = ['compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'];
  const env = { ...process.env, MAVEN_OPTS: SHORT_LIVED.join(' ') };
  await runTool('mvn', ['-q', ...goals], { cwd: dir, env });
  const classpath = [join(dir, 'target/classes'), await readFile(join(dir, 'classpath'), 'utf8')].join(':');
  return { command: 'java', args: ['-cp', classpath, 'Call'] };
};

export const inPython: Call = async (generated) => {
  const dir = join(generated, 'python');
  await cp(join(CALLS, 'call.py'), join(dir, 'call.py'));
  return { command: join(await generatedPython(), 'bin/python'), args: [join(dir, 'call.py')] };
};

export const inTypescript: Call = async (generated) =>
  compiled(join(generated, 'typescript-fetch'), await typescriptGenerators(), join(CALLS, 'call.mts'));
