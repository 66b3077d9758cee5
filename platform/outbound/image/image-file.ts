/** A picture that has passed `stillImageOf`. */
export interface StillImage {
  readonly type: 'jpg' | 'png' | 'webp';
  /** In pixels, as displayed. */
  readonly width: number;
  readonly height: number;
  readonly body: Buffer;
}
