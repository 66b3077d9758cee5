/** The bundled script and style, as the document names them and the server sends them. */
export interface PageAsset {
  readonly path: string;
  /** Hash of `body`, in the format of the attribute `integrity`. */
  readonly integrity: string;
  readonly type: string;
  readonly body: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
  readonly etag: string;
}

export interface PageAssets {
  readonly script: PageAsset;
  readonly style: PageAsset;
  /** Scripts of the card-field documents, by rail. */
  readonly fieldScripts: Readonly<Record<string, PageAsset>>;
}
