/** Parses URLs. */

/**
 * Undefined if the text is not an absolute URL. Uses try and catch, because the compiled `URL.canParse` of Node 20
 * mistakes non-ASCII Latin letters for broken text.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
