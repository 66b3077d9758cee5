/**
 * Reads a PDF as a person does: its text, and its pages as pictures (Debian's poppler-utils).
 * @needs poppler
 */
import { spawn } from 'node:child_process';

export function textOf(pdf: Buffer): Promise<string> {
  return run('pdftotext', ['-layout', '-', '-'], pdf).then((output) => output.toString('utf8'));
}

/** Title, subtype, whether it is tagged, and so on. */
export function infoOf(pdf: Buffer): Promise<string> {
  return run('pdfinfo', ['-'], pdf).then((output) => output.toString('utf8'));
}

/** Its structure elements with their text, as a screen reader goes through them. */
export function structureOf(pdf: Buffer): Promise<string> {
  return run('pdfinfo', ['-struct-text', '-'], pdf).then((output) => output.toString('utf8'));
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** The part of the page that has ink on it, as fractions of its width and height. */
  readonly ink: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
  /** The share of the page that is ink. */
  readonly share: number;
}

export async function pictureOf(pdf: Buffer, page = 1): Promise<Picture> {
  const file = await run('pdftoppm', ['-gray', '-r', '50', '-f', `${page}`, '-l', `${page}`, '-'], pdf);
  const head = /^P5\s+(\d+)\s+(\d+)\s+\d+\s/.exec(file.toString('latin1', 0, 64));
  if (!head) throw new Error('not a grey picture');
  const [whole, width, height] = [head[0], Number(head[1]), Number(head[2])];
  const pixels = file.subarray(whole.length);
  const ink: (readonly [x: number, y: number])[] = [];
  pixels.forEach((grey, n) => {
    if (grey < 200) ink.push([n % width, Math.floor(n / width)]);
  });
  const xs = ink.map(([x]) => x / width);
  const ys = ink.map(([, y]) => y / height);
  return {
    width,
    height,
    share: ink.length / pixels.length,
    ink: { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) },
  };
}

function run(tool: string, args: readonly string[], input: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    let problem = '';
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      problem += chunk;
    });
    child.on('error', (error) =>
      reject(new Error(`${tool} (poppler-utils) cannot be run: ${error.message}`)),
    );
    child.on('close', (code) => (code === 0 ? resolve(Buffer.concat(out)) : reject(new Error(problem))));
    child.stdin.end(input);
  });
}
