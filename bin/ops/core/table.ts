/** Text tables. */

interface TableOptions {
  readonly write?: (line: string) => void;
  /** Lines below a row, indented. */
  readonly below?: (row: number) => readonly string[];
}

export function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { write = console.log, below = () => [] }: TableOptions = {},
): void {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  all.forEach((row, index) => {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
    );
    write(cells.join('  ').trimEnd());
    if (index > 0) for (const line of below(index - 1)) write(`    ${line}`);
  });
}

/** `45 s`, `12 min`, `3 h`, `4 d`: in the largest unit of which there are at least two. */
export function shortAge(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
