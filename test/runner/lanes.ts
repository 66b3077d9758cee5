/**
 * Five files at a time, of which at most three are heavy: whole stacks exceed their time limits when four of them work
 * at a time. Three heavy files leave cores idle, which the others use. Beside the five runs one file that spends most
 * of its time waiting.
 */
import { createRequire } from 'node:module';
import type { TestEvents } from 'jest-runner';

// Its types describe the CommonJS module.
const { default: TestRunner } = createRequire(import.meta.url)('jest-runner') as typeof import('jest-runner');
type Runner = InstanceType<typeof TestRunner>;

const AT_ONCE = 5;
/** By the names of the projects. */
const MOST = { tests: AT_ONCE, full: 3, waiting: 1 } as const;
type Name = keyof typeof MOST;

export default class Lanes extends TestRunner {
  readonly #runners = {
    tests: this.#runnerFor('tests'),
    full: this.#runnerFor('full'),
    waiting: this.#runnerFor('waiting'),
  };

  override async runTests(...[tests, watcher, options]: Parameters<Runner['runTests']>): Promise<void> {
    const named = Map.groupBy(tests, ({ context }) => context.config.displayName?.name as Name);
    this.#keepPlaces(named.get('full')?.length ?? 0);
    const runs = [...named].map(
      ([name, its]) =>
        () =>
          this.#runners[name].runTests(its, watcher, options),
    );
    if (options.serial) for (const run of runs) await run();
    else await Promise.all(runs.map((run) => run()));
  }

  /** A light file begins once one of the five places is free that no heavy file will take. */
  #keepPlaces(heavy: number): void {
    const { tests, full } = this.#runners;
    const queue: (() => void)[] = [];
    let heavyLeft = heavy;
    let light = 0;
    const admit = () => {
      for (; light < AT_ONCE - Math.min(MOST.full, heavyLeft) && queue.length > 0; light += 1)
        queue.shift()?.();
    };
    tests.on('test-file-start', () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      queue.push(resolve);
      admit();
      return promise;
    });
    for (const end of ['test-file-success', 'test-file-failure'] as const) {
      tests.on(end, () => {
        light -= 1;
        admit();
      });
      full.on(end, () => {
        heavyLeft -= 1;
        admit();
      });
    }
  }

  #runnerFor(name: Name): Runner {
    const maxWorkers = Math.min(MOST[name], this._globalConfig.maxWorkers);
    return new TestRunner({ ...this._globalConfig, maxWorkers }, this._context);
  }

  override on<Event extends keyof TestEvents>(
    event: Event,
    listener: (event: TestEvents[Event]) => void | Promise<void>,
  ): () => void {
    const off = Object.values(this.#runners).map((runner) => runner.on(event, listener));
    return () => {
      for (const each of off) each();
    };
  }
}
