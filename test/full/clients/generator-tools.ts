/**
 * The generators that merchants' developers use, and tools that check descriptions, each at a fixed version.
 * @needs maven
 */
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from '../../../sandbox/stack/core/directories.ts';
import { npmTools } from '../../../sandbox/stack/core/npm-tools.ts';
import { runTool } from '../../../sandbox/stack/process/tool.ts';
import { goTool } from '../../support/tool/go.ts';
import { pythonEnvironment } from '../../support/tool/python.ts';

const OPENAPI_GENERATOR = '7.25.0';

/** @returns a directory whose node_modules has the generators for TypeScript, and Redocly's linter */
export function typescriptGenerators(): Promise<string> {
  return npmTools('typescript-generators-1', {
    '@hey-api/openapi-ts': '0.99.0',
    '@redocly/cli': '2.77.0',
    'openapi-fetch': '0.17.0',
    'openapi-typescript': '7.13.0',
    typescript: '5.9.3',
  });
}

/** @returns a directory whose bin/python has the generator for Python, and mypy */
export function pythonGenerator(): Promise<string> {
  return pythonEnvironment('python-generator-1', ['openapi-python-client==0.29.1', 'mypy==2.4.1']);
}

/** @returns a directory whose bin/python has the packages that OpenAPI Generator's clients for Python import */
export function generatedPython(): Promise<string> {
  const needed = [
    'pydantic>=2.11,<3',
    'python_dateutil>=2.8.2',
    'typing-extensions>=4.7.1',
    'urllib3>=2.7,<3',
  ];
  return pythonEnvironment('openapi-generator-python-1', needed);
}

/** @returns the path of OpenAPI Generator's program for Java */
export async function openapiGenerator(): Promise<string> {
  const dir = cacheDir(process.env);
  const jar = join(dir, `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`);
  if (await isThere(jar)) return jar;
  await mkdir(dir, { recursive: true });
  const artifact = `org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`;
  await runTool('mvn', ['-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${dir}`]);
  return jar;
}

/** @returns the path of the program that compares two descriptions */
export const oasdiff = () => goTool('github.com/oasdiff/oasdiff', 'v1.35.0');

function isThere(path: string): Promise<boolean> {
  return stat(path).then(Boolean, () => false);
}
