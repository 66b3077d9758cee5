/** Tests run in the process's own realm (`runtime.ts`), so a file needs no set-up. */
export default class NativeEnvironment {
  /** Not `globalThis`: Jest writes into it, and would wrap `console` and `process.exit` again for each file. */
  readonly global = {};

  async setup(): Promise<void> {}
  async teardown(): Promise<void> {}

  getVmContext(): null {
    return null;
  }
}
