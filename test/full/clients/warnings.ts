/** Generators' warnings: none except those about their own limitations. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A warning that the description cannot avoid. */
interface Theirs {
  readonly says: RegExp;
  readonly why: string;
}

type Generator = 'openapi-typescript' | '@hey-api/openapi-ts' | 'openapi-python-client' | 'OpenAPI Generator';

/** Which lines of a generator's output are warnings; null means each line on standard error. */
const WARNS: Readonly<Record<Generator, RegExp | null>> = {
  'openapi-typescript': null,
  '@hey-api/openapi-ts': null,
  'openapi-python-client': /^(WARNING|ERROR|Cannot|Unable|Unsupported)/,
  'OpenAPI Generator': /\b(WARN|ERROR)\b|^\s*- ?(attribute|Unused)/,
};

const ALLOWED: Readonly<Record<Generator, readonly Theirs[]>> = {
  'openapi-typescript': [],
  '@hey-api/openapi-ts': [],
  'openapi-python-client': [
    {
      says: /^WARNING parsing GET \/(invoices|credit-notes)\/\{file\}/,
      why: 'It ignores a response that is a PDF.',
    },
    { says: /Unsupported content_type application\/pdf/, why: 'The same.' },
  ],
  'OpenAPI Generator': [
    {
      says: /- ?Unused model: (Event\w+|\w+Event)$/,
      why: 'It ignores `webhooks`, whose bodies these are.',
    },
  ],
};

/** @throws Error with the warnings that are ours, or with the output if the generator fails */
export async function runGenerator(
  generator: Generator,
  command: string,
  args: readonly string[],
  cwd?: string,
): Promise<void> {
  const { stdout, stderr } = await run(command, [...args], {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
    maxBuffer: 64 * 1_048_576,
  });
  const pattern = WARNS[generator];
  const lines = (pattern ? `${stdout}\n${stderr}` : stderr).split('\n');
  const warnings = lines.filter((line) => (pattern ? pattern.test(line) : line.trim() !== ''));
  const ours = warnings.filter((line) => !ALLOWED[generator].some(({ says }) => says.test(line)));
  if (ours.length > 0) throw new Error(`${generator} warns:\n${ours.join('\n')}`);
}
