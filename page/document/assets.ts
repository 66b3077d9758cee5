/** The bundled script and style, as the document names them and the server sends them. */
export interface PageAsset {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
  readonly compressed: Readonly<Record<'br' | 'gzip', Buffer>>;
}

export interface PageAssets {
  readonly script: PageAsset;
  readonly style: PageAsset;
  /** Of card-field documents, by the rail's name. */
  readonly fieldScripts: Readonly<Record<string, PageAsset>>;
}
