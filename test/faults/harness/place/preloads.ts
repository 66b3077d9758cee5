/** Injects code into the service's processes from outside, so that the service itself contains none for tests. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROJECT_DIR } from '../../../../sandbox/stack/core/directories.ts';

const FAILPOINTS = new URL('../../failpoints/preload.ts', import.meta.url).href;
const MUTATE = new URL('./mutate.ts', import.meta.url).href;

/** A change at one place in one of the service's files. */
export interface Plant {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Preloads {
  /** Failpoints, armed while this directory exists. */
  readonly failpointsDir?: string;
  readonly plants?: readonly Plant[];
}

/** The environment variables that inject these changes. */
export function preloaded({ failpointsDir, plants = [] }: Preloads): NodeJS.ProcessEnv {
  const imports = [...(failpointsDir ? [FAILPOINTS] : []), ...(plants.length > 0 ? [MUTATE] : [])];
  return {
    ...(imports.length > 0 && { NODE_OPTIONS: imports.map((url) => `--import=${url}`).join(' ') }),
    ...(failpointsDir && { FAILPOINTS_DIR: failpointsDir }),
    ...(plants.length > 0 && { MUTANTS: JSON.stringify(plants.map(mutantOf)) }),
  };
}

const mutantOf = ({ file, ...change }: Plant) => ({
  ...change,
  url: pathToFileURL(join(PROJECT_DIR, file)).href,
});
