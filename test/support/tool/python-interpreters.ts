/**
 * The Python interpreters of this machine, on PATH or of pyenv.
 * @needs python
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Fails unless the interpreter has the modules that a virtual environment needs. */
const ASK = 'import ensurepip, ssl, sys, venv; print(sys.version_info[1], sys.executable)';

/** @returns the path of each working interpreter by its minor version, for the wanted versions */
export async function pythonInterpreters(minors: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const commands = ['python3', ...minors.map((minor) => `python3.${minor}`), ...(await ofPyenv())];
  const found = await Promise.all(commands.map(answerOf));
  return new Map(found.flatMap((each) => (each && minors.includes(each[0]) ? [each] : [])));
}

async function ofPyenv(): Promise<readonly string[]> {
  try {
    const [{ stdout: root }, { stdout: versions }] = await Promise.all([
      run('pyenv', ['root']),
      run('pyenv', ['versions', '--bare']),
    ]);
    return versions.split(/\s+/).map((version) => join(root.trim(), 'versions', version, 'bin/python'));
  } catch {
    return [];
  }
}

async function answerOf(command: string): Promise<readonly [number, string] | null> {
  try {
    const { stdout } = await run(command, ['-c', ASK]);
    const [minor = '', path = ''] = stdout.trim().split(' ');
    return [Number(minor), path];
  } catch {
    return null;
  }
}
