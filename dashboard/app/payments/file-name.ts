/**
 * Returns the file name in a `Content-Disposition`: quoted if need be, and encoded if it has letters outside ASCII.
 */
export function fileNameOf(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  const [, plain = ''] = /filename="?([^";]+)/.exec(disposition) ?? [];
  return encoded ? decodeURIComponent(encoded) : plain;
}
