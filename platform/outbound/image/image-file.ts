/** A picture that has passed `stillImageOf`. */
export interface StillImage {
  readonly type: 'jpg' | 'png' | 'webp';
  /** As shown, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly body: Buffer;
}
