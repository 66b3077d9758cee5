/**
 * Loads test files with Node itself, instead of a virtual machine per file. Modules shared by files are
 * loaded once per process and not once per file, which took about 3 s each, and run as in production, their
 * types stripped by Node. The price: test files in one process share the globals too, so a test restores what
 * it changes.
 */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { useGlobals } from './globals.ts';

const require = createRequire(import.meta.url);
const GLOBALS = new URL('./globals.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

// If the runner is killed, a file in the middle of its tests would continue for minutes. (A listener for the end of
// the channel to the runner would keep this process alive when all is done.)
const runner = process.ppid;
setInterval(() => {
  if (process.ppid !== runner) process.exit(1);
}, 1_000).unref();

class Runtime {
  readonly requireModule = require;
  readonly setGlobalsForRuntime = useGlobals;

  /** The framework, loaded again for each file, because it holds the tests and listeners of one file. */
  requireInternalModule(path: string): unknown {
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    return require(path);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(path: string): Promise<void> {
    await import(pathToFileURL(path).href);
  }

  getSourceMaps(): null {
    return null;
  }

  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }

  // Jest calls these on its own runtime; nothing is needed here.
  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}
}

// Jest loads this file with `require`, which returns the export of this name.
export { Runtime as 'module.exports' };
