/** Runs a program to completion, such as a build. It ends with us, even after a SIGKILL. */
import { startForeignPart } from './part.ts';

/**
 * For `go`, identical for every build, so that all builds share one cache of compiled packages. Without tables for debuggers,
 * and with garbage collected only above 1 GiB, a build takes 60 s of CPU time instead of 75. Without C, whose compiler may
 * be installed later.
 */
export const GO_ENV = {
  CGO_ENABLED: '0',
  GOFLAGS: '-trimpath -gcflags=all=-dwarf=false -ldflags=-s',
  GOGC: 'off',
  GOMEMLIMIT: '1GiB',
};

export interface ToolOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** @throws Error with the program's last output if it fails or is missing */
export async function runTool(
  command: string,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<string> {
  const part = startForeignPart({ name: command, command, args, ...options });
  const stop = () => void part.stop();
  process.once('SIGTERM', stop).once('SIGINT', stop);
  const { code, signal } = await part.exited;
  process.off('SIGTERM', stop).off('SIGINT', stop);
  const said = part.lastLines().join('\n');
  if (code === 0) return said;
  throw new Error(`${command} ${args.join(' ')} exited with ${signal ?? `code ${code}`}:\n${said}`);
}

export async function hasTool(command: string, versionFlag: string): Promise<boolean> {
  return runTool(command, [versionFlag]).then(
    () => true,
    () => false,
  );
}
