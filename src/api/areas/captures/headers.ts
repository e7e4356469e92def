/** The headers of the EPCIS REST bindings: error behaviour and versions. Source: EPCIS 2.0, section 12. */
import { BEHAVIOURS, type Behaviour } from '../../../events/captures/events.js';
import { epcis } from '../../../serializers/epcis.js';
import { ApiError } from '../../core/errors.js';

/** Headers of every response. */
export const EPCIS_HEADERS: Readonly<Record<string, string>> = epcis.headers!;

const EPC_FORMATS = ['No_Preference', 'Always_GS1_Digital_Link', 'Always_EPC_URN', 'Never_Translates'] as const;
/** EPC format of responses. No URN can be derived from a Digital Link, which lacks the length of the company prefix. */
const RETURNED_EPC_FORMAT: (typeof EPC_FORMATS)[number] = 'Always_GS1_Digital_Link';

/** Headers of every OPTIONS response. */
export const ANNOUNCED_HEADERS: Readonly<Record<string, string>> = {
  ...EPCIS_HEADERS,
  'GS1-EPCIS-Min': '2.0',
  'GS1-EPCIS-Max': '2.0',
  'GS1-CBV-Min': '2.0',
  'GS1-CBV-Max': '2.0',
  'GS1-EPC-Format': RETURNED_EPC_FORMAT,
};
/** Headers of every response with events. */
export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  ...EPCIS_HEADERS,
  'GS1-EPC-Format': RETURNED_EPC_FORMAT,
};

export type ReadHeader = (name: string) => string | undefined;

const errorDetails = (field: string, code: string, params: Record<string, string>) => ({
  params,
  errors: [{ field, path: '', code, params }],
});

/** Names of the header for error behaviour. Many clients use the second one. */
const BEHAVIOUR_HEADERS = ['gs1-capture-error-behaviour', 'gs1-epcis-capture-error-behaviour'];

/** The requested behaviour for rejected events. Throws INVALID_INPUT with the name of the header. */
export function behaviourOf(header: ReadHeader, defaultBehaviour: Behaviour): Behaviour {
  const name = BEHAVIOUR_HEADERS.find((name) => header(name) !== undefined);
  if (name === undefined) return defaultBehaviour;
  const behaviour = BEHAVIOURS.find((one) => one === header(name)!.trim().toLowerCase());
  if (!behaviour)
    throw new ApiError('INVALID_INPUT', errorDetails(name, 'INVALID_VALUE', { allowed: BEHAVIOURS.join(', ') }));
  return behaviour;
}

/**
 * Checks the requested EPC format. The service reads every format but returns only one. Throws INVALID_INPUT for an
 * unknown format, and NOT_ACCEPTABLE for a format that the service cannot return.
 */
export function checkEpcFormat(header: ReadHeader, direction: 'read' | 'returned'): void {
  const name = 'gs1-epc-format';
  const value = header(name)?.trim();
  if (value === undefined) return;
  const format = EPC_FORMATS.find((one) => one.toLowerCase() === value.toLowerCase());
  if (!format)
    throw new ApiError('INVALID_INPUT', errorDetails(name, 'INVALID_VALUE', { allowed: EPC_FORMATS.join(', ') }));
  if (direction === 'returned' && format !== RETURNED_EPC_FORMAT && format !== 'No_Preference')
    throw new ApiError(
      'NOT_ACCEPTABLE',
      errorDetails(name, 'NOT_ACCEPTABLE', { allowed: `${RETURNED_EPC_FORMAT}, No_Preference` }),
    );
}

const VERSION = /^(\d{1,3})\.(\d{1,3})(?:\.\d{1,3})*$/;
const SUPPORTED_VERSION = 2_000;

/**
 * Throws INVALID_INPUT for a malformed version, and STANDARD_VERSION (406) if the requested versions exclude 2.0.
 */
export function checkVersions(header: ReadHeader): void {
  for (const standard of ['gs1-epcis', 'gs1-cbv']) {
    check(`${standard}-version`, header, (version) => version === SUPPORTED_VERSION);
    check(`${standard}-min`, header, (version) => version <= SUPPORTED_VERSION);
    check(`${standard}-max`, header, (version) => version >= SUPPORTED_VERSION);
  }
}

function check(name: string, header: ReadHeader, isSupported: (version: number) => boolean): void {
  const value = header(name)?.trim();
  if (value === undefined) return;
  const match = VERSION.exec(value);
  if (!match) throw new ApiError('INVALID_INPUT', errorDetails(name, 'INVALID_VALUE', { allowed: '2.0' }));
  if (!isSupported(Number(match[1]) * 1_000 + Number(match[2])))
    throw new ApiError(
      'STANDARD_VERSION',
      errorDetails(name, 'STANDARD_VERSION', { version: value, supported: '2.0' }),
    );
}
