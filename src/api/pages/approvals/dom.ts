/**
 * Functions that build the page. Text is inserted as text nodes: no function accepts markup, and the
 * Content-Security-Policy makes the browser reject it.
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

/**
 * Replaces the content. If the new content contains an element with the id of the focused one, that element gets the
 * focus.
 */
export function replace(parent: HTMLElement, children: readonly Node[]): void {
  const focused = parent.contains(document.activeElement) ? document.activeElement?.id : undefined;
  parent.replaceChildren(...children);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/**
 * Characters without a visible glyph, except line breaks: direction marks, joiners, fillers, controls, tags, surrogate
 * halves.
 */
const HIDDEN =
  /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u034f\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gu;

/** Text of other parties with invisible characters escaped as in JSON, so that a reviewer sees the exact text. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (char) =>
    char
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** A value as formatted JSON. */
export const pretty = (value: unknown): string => visible(JSON.stringify(value, null, 2));
