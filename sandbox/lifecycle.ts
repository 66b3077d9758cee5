/** How the parts of the sandbox end: with whoever started them, and in order when told to. */
import { once } from 'node:events';
import type { Server } from 'node:http';

/** Standard input is a pipe that the parent holds: the operating system closes it when the parent is gone. */
export function exitWithParent(): void {
  if (process.env.EXIT_WITH_PARENT !== '1') return;
  const exit = () => process.exit(1);
  process.stdin.on('end', exit).on('close', exit).on('error', exit).resume();
}

export function closeOnSignal(close: (signal: NodeJS.Signals) => Promise<void>): void {
  const end = (signal: NodeJS.Signals) => void close(signal).then(() => process.exit(0));
  process.once('SIGTERM', end).once('SIGINT', end);
}

/** Streams that stay open, as those of live pages, do not keep it. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
