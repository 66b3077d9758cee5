/** A client library in a process that plays one request per line. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Outcome {
  readonly answer?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
}

export class Player {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #said = '';

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(command, args, { env: { ...process.env, NODE_OPTIONS: '', ...env } });
    this.#child.stderr.on('data', (chunk) => (this.#said += chunk));
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async play(request: object): Promise<Outcome> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the player exited:\n${this.#said}`);
    return JSON.parse(value);
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.stdin.end();
    await once(this.#child, 'exit');
  }
}
