/** Types for the part of pdfkit's API that draws invoices; the package has none. */
declare module 'pdfkit' {
  import type { Font } from 'fontkit';

  /** An element of the structure that screen readers read. Content is drawn while it is added. */
  export interface StructureElement {
    add(child: StructureElement | (() => void)): this;
  }

  export default class PDFDocument {
    constructor(options: {
      readonly size: 'A4';
      readonly margin: number;
      readonly bufferPages: boolean;
      readonly pdfVersion: '1.7';
      readonly subset: 'PDF/UA';
      readonly tagged: boolean;
      readonly lang: string;
      readonly displayTitle: boolean;
      /** pdfkit derives the file's id from these by hash, without a clock or randomness. */
      readonly info: Readonly<Record<string, string | Date>>;
    });
    readonly _font: {
      /** In thousandths of the font's size. */
      readonly ascender: number;
      readonly font: Font;
    };
    readonly page: { readonly width: number; readonly height: number };
    registerFont(name: string, source: Font | Buffer): this;
    font(name: string): this;
    fontSize(points: number): this;
    fillColor(color: string): this;
    strokeColor(color: string): this;
    lineWidth(points: number): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    stroke(): this;
    text(
      text: string,
      x: number,
      y: number,
      options: { readonly lineBreak: false; readonly baseline: 'alphabetic' },
    ): this;
    widthOfString(text: string): number;
    currentLineHeight(includeGap: boolean): number;
    struct(type: string, options?: { readonly scope?: 'Row' | 'Column' }): StructureElement;
    addStructure(element: StructureElement): this;
    /** Marks content as decoration, or as repeated on every page. */
    markContent(tag: 'Artifact', options: { readonly type: 'Layout' | 'Pagination' }): this;
    /** @param options.actual the reading order of text that is drawn in another order */
    markContent(tag: 'Span', options: { readonly actual: string }): this;
    endMarkedContent(): this;
    addPage(): this;
    bufferedPageRange(): { readonly start: number; readonly count: number };
    switchToPage(page: number): this;
    on(event: 'data', listener: (chunk: Buffer) => void): this;
    on(event: 'end', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
    end(): void;
  }
}
