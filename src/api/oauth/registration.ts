/**
 * Checks the metadata of a client that registers without authentication: limits sizes, and allows redirects only to
 * safe addresses.
 */

/** A client has one address, or one for each kind of installation. */
const MAX_REDIRECTS = 10;
const MAX_URL_LENGTH = 512;
const MAX_TEXT_LENGTH = 200;
const MAX_BYTES = 8_192;
/** Limited only by the size of the registration: the profile `full` has more than 400 characters. */
const UNLIMITED = 'scope';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Creates the error to throw, with a code of RFC 7591, 3.2.2, and the reason. */
type Refusal = (code: 'invalid_redirect_uri' | 'invalid_client_metadata', description: string) => Error;

/**
 * Throws the error that `refusal` creates. Sets `application_type` to `native` if a redirect address is a loopback
 * address or has a private scheme. A client on its user's machine (RFC 8252) uses such addresses, but many such clients
 * omit the member.
 */
export function checkRegistration(metadata: Record<string, unknown>, refusal: Refusal): void {
  if (JSON.stringify(metadata).length > MAX_BYTES)
    throw refusal('invalid_client_metadata', `the registration has more than ${MAX_BYTES} bytes`);
  for (const [member, value] of Object.entries(metadata))
    if (
      member !== UNLIMITED &&
      typeof value === 'string' &&
      value.length > (/_ur[il]s?$/.test(member) ? MAX_URL_LENGTH : MAX_TEXT_LENGTH)
    )
      throw refusal('invalid_client_metadata', `${member} is too long`);
  const uris: unknown = metadata['redirect_uris'];
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS)
    throw refusal('invalid_redirect_uri', `redirect_uris must contain 1 to ${MAX_REDIRECTS} URLs`);
  const kinds = uris.map((uri: unknown) => kindOf(uri, refusal));
  if (kinds.some((kind) => kind !== 'web')) metadata['application_type'] = 'native';
}

function kindOf(uri: unknown, refusal: Refusal): 'web' | 'native' {
  if (typeof uri !== 'string' || uri.length > MAX_URL_LENGTH || !URL.canParse(uri))
    throw refusal('invalid_redirect_uri', 'redirect_uris must be URLs');
  const { protocol, hostname } = new URL(uri);
  if (protocol === 'https:') return 'web';
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    throw refusal(
      'invalid_redirect_uri',
      'redirect_uris must be https URLs, loopback URLs, or URLs with a private scheme of the application',
    );
  return 'native';
}
