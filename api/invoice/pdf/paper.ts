/** A PDF with the fonts that its text needs. */
import { fileURLToPath } from 'node:url';
import { openSync } from 'fontkit';
import PDFDocument from 'pdfkit';
import { type Slice, slicesFor } from './script-fonts.ts';

/** A font in one weight, registered with the document by its name. */
export interface Face {
  readonly name: string;
  readonly isRightToLeft: boolean;
}

type Weight = 'regular' | 'bold';

const WEIGHTS = { regular: 400, bold: 600 };
/** Noto Sans: Latin, Greek and Cyrillic, parsed once per process. */
const NOTO_SANS = { regular: open('NotoSans-Regular'), bold: open('NotoSans-SemiBold') };

export class Paper extends PDFDocument {
  readonly #noto = {
    regular: { name: 'regular', isRightToLeft: false },
    bold: { name: 'bold', isRightToLeft: false },
  };
  /** By weight: the face of each character that Noto Sans lacks. */
  readonly #faces = { regular: new Map<number, Face>(), bold: new Map<number, Face>() };

  constructor(options: ConstructorParameters<typeof PDFDocument>[0]) {
    super(options);
    this.registerFont('regular', NOTO_SANS.regular).registerFont('bold', NOTO_SANS.bold);
  }

  /**
   * Loads the fonts for all text. Must finish before any text is measured, because fonts are read
   * asynchronously.
   */
  async load(texts: Readonly<Record<Weight, string>>): Promise<void> {
    const slices = await slicesFor(texts.regular);
    for (const weight of ['regular', 'bold'] as const) {
      const missing = new Set(
        [...texts[weight]]
          .filter((character) => !isIgnorable(character))
          .map((character) => character.codePointAt(0) ?? 0)
          .filter((code) => !this.#has(weight, code)),
      );
      for (const slice of slices) await this.#loadSlice(slice, weight, missing);
    }
  }

  /** Returns the font that has all visible characters of a cluster, or undefined. */
  faceOf(cluster: string, weight: Weight): Face | undefined {
    const visible = [...cluster].filter((character) => !isIgnorable(character));
    const codes = visible.map((character) => character.codePointAt(0) ?? 0);
    if (codes.every((code) => this.#has(weight, code))) return this.#noto[weight];
    const face = this.#faces[weight].get(codes.find((code) => !this.#has(weight, code)) ?? 0);
    return face && codes.every((code) => this.#has(face.name, code)) ? face : undefined;
  }

  /** Returns the cluster as the face draws it: without invisible characters, except joiners, which change shapes. */
  drawn(cluster: string, face: Face): string {
    const isDrawn = (character: string) =>
      !isIgnorable(character) ||
      (/[\u200c\u200d]/.test(character) && this.#has(face.name, character.codePointAt(0) ?? 0));
    return [...cluster].filter(isDrawn).join('');
  }

  async #loadSlice(slice: Slice, weight: Weight, missing: Set<number>): Promise<void> {
    if (![...missing].some(slice.has)) return;
    const name = `${slice.name} ${weight}`;
    const wanted = String.fromCodePoint(...[...missing].filter(slice.has), 0x200c, 0x200d);
    const font = await slice.subset(wanted, WEIGHTS[weight]);
    if (!hasCharacters(font)) return;
    this.registerFont(name, font);
    const face = { name, isRightToLeft: slice.isRightToLeft };
    for (const code of missing) {
      if (!this.#has(name, code)) continue;
      this.#faces[weight].set(code, face);
      missing.delete(code);
    }
  }

  #has(font: string, code: number): boolean {
    return this.font(font)._font.font.hasGlyphForCodePoint(code);
  }
}

/**
 * Opens a font that all documents share. Fontkit caches each glyph with the text of its first use. If that use is as
 * part of a Ż, the glyph of Z has no text: a Z in a later document could be neither copied nor read aloud.
 */
function open(name: string) {
  const font = openSync(fileURLToPath(new URL(`fonts/${name}.ttf`, import.meta.url)));
  for (const code of font.characterSet) {
    const character = String.fromCodePoint(code);
    // Leaves out characters such as ﬁ, whose glyph also stands for two letters.
    if (character.normalize('NFKC') === character) font.glyphForCodePoint(code);
  }
  return font;
}

/** A package can declare ranges that its font lacks; a font with no characters has no `cmap` table. */
function hasCharacters(font: Buffer): boolean {
  const tables = font.readUInt16BE(4);
  for (let at = 12; at < 12 + tables * 16; at += 16)
    if (font.toString('latin1', at, at + 4) === 'cmap')
      return font.readUInt16BE(font.readUInt32BE(at + 8) + 2) > 0;
  return false;
}

function isIgnorable(character: string): boolean {
  return /^\p{Default_Ignorable_Code_Point}$/u.test(character);
}
