/** For tests that measure time: one file after another, while no other test runs. */
import { createRequire } from 'node:module';

// Its types describe the CommonJS module.
const { default: TestRunner } = createRequire(import.meta.url)('jest-runner') as typeof import('jest-runner');

export default class Alone extends TestRunner {
  override readonly isSerial = true;
}
