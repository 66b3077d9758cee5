/** How the sandbox's processes exit: with their parent, or gracefully on a signal. */
import { once } from 'node:events';
import type { Server } from 'node:http';

/** Standard input is a pipe from the parent: the operating system closes it when the parent dies. */
export function exitWithParent(): void {
  if (process.env.EXIT_WITH_PARENT !== '1') return;
  const exit = () => process.exit(1);
  process.stdin.on('end', exit).on('close', exit).on('error', exit).resume();
}

export function closeOnSignal(close: (signal: NodeJS.Signals) => Promise<void>): void {
  const end = (signal: NodeJS.Signals) => void close(signal).then(() => process.exit(0));
  process.once('SIGTERM', end).once('SIGINT', end);
}

/** Also closes open streams, such as those of live pages. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
