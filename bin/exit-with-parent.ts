/**
 * Exits with the parent process, even after its SIGKILL: standard input is a pipe from the parent, which the
 * operating system closes.
 */
export function exitWithParent(): void {
  if (process.env.EXIT_WITH_PARENT !== '1') return;
  const exit = () => process.exit(1);
  process.stdin.on('end', exit).on('close', exit).on('error', exit).resume();
}
