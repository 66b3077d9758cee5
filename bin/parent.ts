/**
 * A part that was started by another process of the project ends with it, even when that process was
 * killed and could not say goodbye: the parent holds a pipe to the part's standard input, and the
 * operating system closes it.
 */
export function exitWithParent(): void {
  if (process.env.EXIT_WITH_PARENT !== '1') return;
  const exit = () => process.exit(1);
  process.stdin.on('end', exit).on('close', exit).on('error', exit).resume();
}
