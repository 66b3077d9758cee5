/** Helpers for the DOM, instead of a framework. */
import type { Html } from '../../document/html.ts';

type Child = Node | string | null | undefined | false;
type Props<E> = {
  readonly class?: string;
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
  readonly attributes?: Readonly<Record<string, string | boolean | undefined>>;
} & Partial<Omit<E, 'attributes' | 'style' | 'children' | 'type'>> & { readonly type?: string };

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  const { class: className, on = {}, attributes = {}, ...rest } = props;
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  Object.assign(element, rest);
  for (const [type, listener] of Object.entries(on)) element.addEventListener(type, listener);
  element.append(...children.filter((child) => child != null && child !== false));
  return element;
}

/** Creates a button that does not submit a form. */
export function button(
  className: string,
  onClick: () => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  return el('button', { type: 'button', class: className, on: { click: onClick } }, ...children);
}

/** Parses one of our own icons. */
export function svg(icon: Html): Element {
  const parsed = new DOMParser().parseFromString(
    icon.text.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"'),
    'image/svg+xml',
  );
  return document.importNode(parsed.documentElement, true);
}

/** Parses our own markup into nodes. */
export function nodesOf(markup: Html): readonly Node[] {
  return [...new DOMParser().parseFromString(markup.text, 'text/html').body.childNodes];
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the document has no #${id}`);
  return element;
}
