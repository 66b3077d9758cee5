/** A volume in memory that can be filled. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SIZE_MIB = 3_000;
const SLACK_KIB = 16;
const MOST_TRIES = 20;

export interface Volume {
  readonly dir: string;
  /** Shrinks it to its used size. */
  fill(): Promise<void>;
  empty(): Promise<void>;
  close(): Promise<void>;
}

const asError = (error: unknown) => error;

/** @returns undefined where this process may not mount: not as root on Linux, or without the capability */
export async function openVolume(dir: string): Promise<Volume | undefined> {
  await mkdir(dir, { recursive: true });
  const size = (kib: number) => `size=${kib}k`;
  const whole = size(SIZE_MIB * 1_024);
  const mount = (...args: readonly string[]) => run('mount', args);
  try {
    await mount('-t', 'tmpfs', '-o', whole, 'tmpfs', dir);
  } catch {
    return undefined;
  }
  await chmod(dir, 0o755);
  return {
    dir,
    async fill() {
      for (let tries = 1; ; tries++) {
        const { blocks, bfree, bsize } = await statfs(dir);
        // Usage can grow before the remount, and the volume cannot shrink below its usage.
        const used = ((blocks - bfree) * bsize) / 1_024 + tries * SLACK_KIB;
        const error = await mount('-o', `remount,${size(used)}`, dir).then(() => undefined, asError);
        if (!error) return;
        if (tries === MOST_TRIES) throw error;
      }
    },
    async empty() {
      await mount('-o', `remount,${whole}`, dir);
    },
    async close() {
      await run('umount', ['-l', dir]).catch(() => {});
    },
  };
}
