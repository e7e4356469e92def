/** Addresses as text. */

/**
 * Undefined for what is no absolute URL. By trying, because `URL.canParse` of Node 20, once it is compiled, takes Latin
 * letters beyond ASCII for broken text.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
