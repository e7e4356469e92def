/** Headers of a response that browsers save as a file, and never show as a page. */

/** `name`: letters, digits, dots, hyphens and underscores (RFC 6266). */
export const attachment = (name: string): Readonly<Record<string, string>> => ({
  'Content-Disposition': `attachment; filename="${name}"`,
  'X-Content-Type-Options': 'nosniff',
});
