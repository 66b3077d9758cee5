/** Types for the parts of text layout packages in use. Only bidi-js ships types, with a wrong default export. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    text: string | undefined,
    options: {
      readonly targetFormat: 'truetype';
      readonly keepFeatures: readonly string[];
      readonly noHinting: boolean;
      readonly variationAxes?: { readonly wght: number };
      /** Keeps every glyph; `text` must then be undefined. */
      readonly keepAllGlyphs?: true;
    },
  ): Promise<Buffer>;
}
declare module 'fontkit' {
  /** A parsed font. Parsing is lazy and glyphs are cached, so documents can share it. */
  export interface Font {
    readonly characterSet: readonly number[];
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): unknown;
  }
  export function openSync(file: string): Font;
}
declare module 'linebreak' {
  /** Finds where a text may be broken into lines (UAX 14). */
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}
declare module 'bidi-js' {
  interface Levels {
    /** By position in the text: odd for a character that is read from right to left. */
    readonly levels: Uint8Array;
  }

  /** The Unicode Bidirectional Algorithm (UAX 9). */
  export default function bidiFactory(): {
    getEmbeddingLevels(text: string): Levels;
    /** @returns all positions, those between `first` and `last` from left to right */
    getReorderedIndices(text: string, levels: Levels, first: number, last: number): readonly number[];
    getMirroredCharacter(character: string): string | null;
  };
}
