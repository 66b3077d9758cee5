/** Appends the body to `kept` up to `most` bytes in all; the connection of a longer body is closed. */
export async function keepUpTo(most: number, body: AsyncIterable<Buffer>, kept: Buffer[]): Promise<void> {
  let room = most;
  for await (const chunk of body) {
    kept.push(chunk.subarray(0, room));
    room -= chunk.length;
    if (room <= 0) return;
  }
}
