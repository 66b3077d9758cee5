/**
 * What comes from a server is printed as text. A terminal would obey its escape sequences: they retitle the window,
 * hide lines, or write to the clipboard.
 */

// Line breaks and tabs stay. The rest: controls, C1 among them, and marks that reverse the direction of text.
const OBEYED = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Shown as JSON writes it, so that printed JSON stays what it is. */
export function plain(text: string): string {
  return text.replace(OBEYED, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** From here on, whatever the process prints is plain: no command can forget it. */
export function printPlainly(): void {
  for (const kind of ['log', 'error'] as const) {
    const print = console[kind].bind(console);
    console[kind] = (...parts: unknown[]) =>
      print(...parts.map((part) => (typeof part === 'string' ? plain(part) : part)));
  }
}
