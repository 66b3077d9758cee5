/**
 * Files that spend most of their time waiting (the project `waiting`) run one at a time in a slot of their own: a
 * fourth CPU-bound file in that slot would overload the processor.
 */
import { createRequire } from 'node:module';
import type { TestEvents } from 'jest-runner';

// Its types describe the CommonJS module.
const { default: TestRunner } = createRequire(import.meta.url)('jest-runner') as typeof import('jest-runner');
type Runner = InstanceType<typeof TestRunner>;

export default class Beside extends TestRunner {
  readonly #ofWaiting = new TestRunner({ ...this._globalConfig, maxWorkers: 1 }, this._context);

  override async runTests(...[tests, watcher, options]: Parameters<Runner['runTests']>): Promise<void> {
    const isWaiting = ({ context }: (typeof tests)[number]) => context.config.displayName?.name === 'waiting';
    const waiting = options.serial ? [] : tests.filter(isWaiting);
    const working = tests.filter((test) => !waiting.includes(test));
    await Promise.all([
      working.length > 0 && super.runTests(working, watcher, options),
      waiting.length > 0 && this.#ofWaiting.runTests(waiting, watcher, options),
    ]);
  }

  override on<Name extends keyof TestEvents>(
    name: Name,
    listener: (event: TestEvents[Name]) => void | Promise<void>,
  ): () => void {
    const off = [super.on(name, listener), this.#ofWaiting.on(name, listener)];
    return () => {
      for (const each of off) each();
    };
  }
}
