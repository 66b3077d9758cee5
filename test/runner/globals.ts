/**
 * `@jest/globals` for test files (`runtime.ts`). Modules that several files import keep references to these
 * functions, so each forwards its calls to those of the running file.
 */
import type * as jestGlobals from '@jest/globals';
import { ModuleMocker } from 'jest-mock';

type Name = 'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'it' | 'test';
type Globals = Pick<typeof jestGlobals, Name>;

let current: Globals | undefined;

/** Called before each test file is loaded, with its own functions. */
export function useGlobals(globals: Globals): void {
  current = globals;
}

function passOn<N extends Name>(name: N): Globals[N] {
  const target = () => {
    if (!current) throw new Error(`${name} was called outside of a test file`);
    return current[name] as (...args: unknown[]) => unknown;
  };
  return new Proxy(() => {}, {
    apply: (_target, _this, args) => target()(...args),
    get: (_target, property) => Reflect.get(target(), property),
  }) as unknown as Globals[N];
}

export const afterAll = passOn('afterAll');
export const afterEach = passOn('afterEach');
export const beforeAll = passOn('beforeAll');
export const beforeEach = passOn('beforeEach');
export const describe = passOn('describe');
export const expect = passOn('expect');
export const it = passOn('it');
export const test = passOn('test');

const mocker = new ModuleMocker(globalThis);
export const jest = {
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
};
