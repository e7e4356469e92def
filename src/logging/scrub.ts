/** Removes secrets from every log line as the last step, whatever code wrote them. */

const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Keys of providers, and tokens of users: sessions, API keys, access tokens of applications.
  [/\b(ot[pt]_)[A-Za-z0-9_-]{16,}/g, '$1[secret]'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi, '$1 [secret]'],
  // Credentials in URLs.
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@"\\]*):[^\s/@"\\]+@/gi, '$1:[secret]@'],
  // Members with the name of a secret, also in JSON inside strings.
  [
    /(\\*")((?:[a-z]+[-_])*(?:authorization|cookie|passw(?:or)?d|secret|token|api_?key|master_?key|signing_?key))\1:\s*(\\*")(?:(?!\3).)*\3/gi,
    '$1$2$1:$3[secret]$3',
  ],
];

/** The line without secrets; JSON stays valid JSON. */
export function scrub(line: string): string {
  for (const [pattern, replacement] of SECRETS) line = line.replace(pattern, replacement);
  return line;
}
