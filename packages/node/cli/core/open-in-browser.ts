/** Opens an address in the person's browser; does nothing if there is no browser. */
import { spawn } from 'node:child_process';

export function openInBrowser(address: string): void {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  const child = spawn(opener, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
