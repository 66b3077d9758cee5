/** Tests run in the process's own realm (`runtime.ts`): no set-up is needed around a file. */
export default class NativeEnvironment {
  /** Not `globalThis`: Jest writes into it, and would wrap `console` and `process.exit` again for each file. */
  readonly global = {};

  async setup(): Promise<void> {}
  async teardown(): Promise<void> {}

  getVmContext(): null {
    return null;
  }
}
