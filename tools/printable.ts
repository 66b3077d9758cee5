/** `npm run printable`: writes the characters that an invoice can print, from the fonts of api/invoice/pdf/. */
import { writeFileSync } from 'node:fs';
import { Paper } from '../api/invoice/pdf/paper.ts';

const LAST = 0x1ffff;

export async function printableSource(): Promise<string> {
  const codes = Array.from({ length: LAST + 1 }, (_, code) => code).filter(
    (code) => !/[\p{C}]/u.test(String.fromCodePoint(code)),
  );
  const paper = new Paper({
    size: 'A4',
    margin: 57,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    info: {},
  });
  await paper.load({ regular: codes.map((code) => String.fromCodePoint(code)).join(''), bold: '' });
  const steps: string[] = [];
  let last = 0;
  for (let n = 0; n < codes.length; n++) {
    const isPrintable = (code: number) => paper.faceOf(String.fromCodePoint(code), 'regular') !== undefined;
    const first = codes[n] ?? 0;
    if (!isPrintable(first)) continue;
    let end = first;
    while (codes[n + 1] === end + 1 && isPrintable(end + 1)) {
      end += 1;
      n += 1;
    }
    steps.push(`${(first - last).toString(36)}.${(end - first).toString(36)}`);
    last = end;
  }
  const lines = steps.join(' ').match(/.{1,100}(?: |$)/g) ?? [];
  return `/**
 * The characters that invoices can print, as \`npm run printable\` reads them from the fonts. Each range is written as
 * its distance from the end of the previous one, and its length less one, in base 36.
 */
export const PRINTABLE_RANGES = \`
${lines.map((line) => line.trim()).join('\n')}
\`;
`;
}

if (import.meta.main)
  writeFileSync(new URL('../domain/core/printable-ranges.ts', import.meta.url), await printableSource());
