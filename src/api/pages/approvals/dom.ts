/**
 * Building the page. Text goes in as text nodes: nothing here takes markup, and the Content-Security-Policy refuses it
 * to the browser.
 */

/** The element of index.html with this id. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id}`);
  return found as E;
}

type Child = Node | string | undefined;

export function element<N extends keyof HTMLElementTagNameMap>(
  name: N,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[N] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Replaces the content; what had the focus and is there again by its id has it again. */
export function replace(parent: HTMLElement, children: readonly Node[]): void {
  const focused = parent.contains(document.activeElement) ? document.activeElement?.id : undefined;
  parent.replaceChildren(...children);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/**
 * Everything that has no glyph of its own, except line breaks: directions turned round, joiners, fillers, controls,
 * tags, surrogate halves.
 */
const HIDDEN =
  /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u034f\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gu;

/**
 * Text of others as it is, with what a reader could not see spelt out as in JSON: a reviewer must not read another text
 * than there is.
 */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (char) =>
    char
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** A value as JSON to read. */
export const pretty = (value: unknown): string => visible(JSON.stringify(value, null, 2));
