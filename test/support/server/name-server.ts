/** A DNS server over UDP that answers as the test configures; enough of RFC 1035 for A and AAAA. */
import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface NameServer {
  /** `host:port` for a resolver. */
  readonly address: string;
  /** Every question so far, as `name A` or `name AAAA`. */
  readonly questions: readonly string[];
  stop(): Promise<void>;
}

/**
 * The answer to the n-th question (from 1) about a name and kind. An empty list: the name has no such address;
 * `silence`: no answer comes.
 */
export type NameAnswer = (name: string, kind: 'A' | 'AAAA', nth: number) => readonly string[] | 'silence';

const KINDS = new Map([
  [1, 'A'],
  [28, 'AAAA'],
] as const);

export async function startNameServer(answer: NameAnswer): Promise<NameServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, kind, end } = questionOf(query);
    const question = `${name} ${kind}`;
    questions.push(question);
    const nth = questions.filter((earlier) => earlier === question).length;
    const addresses = kind ? answer(name, kind, nth) : [];
    if (addresses === 'silence') return;
    socket.send(reply(query.subarray(0, end), addresses), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), kind: KINDS.get(query.readUInt16BE(at + 1) as 1 | 28), end: at + 5 };
}

function reply(question: Buffer, addresses: readonly string[]): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const data = Buffer.from(ipaddr.parse(address).toByteArray());
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(isIPv4(address) ? 1 : 28, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(0, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, question.subarray(12), ...records]);
}
