/** Appends at most `maxBytes` of the body to `kept`, and closes the connection if there are more. */
export async function keepUpTo(maxBytes: number, body: AsyncIterable<Buffer>, kept: Buffer[]): Promise<void> {
  let room = maxBytes;
  for await (const chunk of body) {
    kept.push(chunk.subarray(0, room));
    room -= chunk.length;
    if (room <= 0) return;
  }
}
