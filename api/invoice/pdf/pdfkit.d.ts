/** The part of pdfkit's API that draws invoices; the package has no types. */
declare module 'pdfkit' {
  interface TextOptions {
    readonly width?: number;
    readonly align?: 'left' | 'right';
    readonly lineGap?: number;
    readonly lineBreak?: boolean;
  }

  export default class PDFDocument {
    constructor(options: {
      readonly size: 'A4';
      readonly margins: {
        readonly top: number;
        readonly bottom: number;
        readonly left: number;
        readonly right: number;
      };
      readonly bufferPages: boolean;
      readonly pdfVersion: '1.7';
      readonly lang: string;
      readonly displayTitle: boolean;
      /** The file's id is a hash of these, without clock or randomness. */
      readonly info: Readonly<Record<string, string | Date>>;
    });
    readonly page: { readonly width: number; readonly height: number; margins: { bottom: number } };
    y: number;
    registerFont(name: string, path: string): this;
    font(name: string): this;
    fontSize(points: number): this;
    fillColor(color: string): this;
    strokeColor(color: string): this;
    lineWidth(points: number): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    stroke(): this;
    text(text: string, x: number, y: number, options?: TextOptions): this;
    heightOfString(text: string, options?: TextOptions): number;
    addPage(): this;
    bufferedPageRange(): { readonly start: number; readonly count: number };
    switchToPage(page: number): this;
    on(event: 'data', listener: (chunk: Buffer) => void): this;
    on(event: 'end', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
    end(): void;
  }
}
