/**
 * Shortens a text for a run's summary, which Temporal limits to 200 bytes.
 * @param codePoints the maximum length, including the ellipsis
 */
export function clip(text: string, codePoints: number): string {
  const points = [...text];
  return points.length <= codePoints ? text : `${points.slice(0, codePoints - 1).join('')}…`;
}
