/** The headers of the EPCIS REST bindings: error behaviour and versions. Source: EPCIS 2.0, section 12. */
import { BEHAVIOURS, type Behaviour } from '../../../events/captures/events.js';
import { epcis } from '../../../serializers/epcis.js';
import { ApiError } from '../../core/errors.js';

/** Headers of every response. */
export const EPCIS_HEADERS: Readonly<Record<string, string>> = epcis.headers!;

const EPC_FORMATS = ['No_Preference', 'Always_GS1_Digital_Link', 'Always_EPC_URN', 'Never_Translates'] as const;
type EpcFormat = (typeof EPC_FORMATS)[number];
/**
 * EPC formats of responses; the first one is the default. No URN can be derived from a Digital Link, which lacks the
 * length of the company prefix.
 */
const RETURNED_EPC_FORMATS: readonly [EpcFormat, ...EpcFormat[]] = ['Never_Translates', 'Always_GS1_Digital_Link'];

/** Headers of every OPTIONS response. */
export const ANNOUNCED_HEADERS: Readonly<Record<string, string>> = {
  ...EPCIS_HEADERS,
  'GS1-EPCIS-Min': '2.0',
  'GS1-EPCIS-Max': '2.0',
  'GS1-CBV-Min': '2.0',
  'GS1-CBV-Max': '2.0',
  'GS1-EPC-Format': RETURNED_EPC_FORMATS[0],
};
/** Headers of a response with events in this EPC format. */
export const eventHeaders = (format: EpcFormat): Readonly<Record<string, string>> => ({
  ...EPCIS_HEADERS,
  'GS1-EPC-Format': format,
});

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
 * Returns the EPC format of the response. The service reads every format but returns only some of them. Throws
 * INVALID_INPUT for an unknown format, and NOT_ACCEPTABLE for a format that the service cannot return.
 */
export function epcFormatOf(header: ReadHeader, direction: 'read' | 'returned'): EpcFormat {
  const name = 'gs1-epc-format';
  const value = header(name)?.trim();
  const format = EPC_FORMATS.find((one) => one.toLowerCase() === (value ?? 'No_Preference').toLowerCase());
  if (!format)
    throw new ApiError('INVALID_INPUT', errorDetails(name, 'INVALID_VALUE', { allowed: EPC_FORMATS.join(', ') }));
  if (direction === 'read' || format === 'No_Preference') return RETURNED_EPC_FORMATS[0];
  if (RETURNED_EPC_FORMATS.includes(format)) return format;
  const allowed = [...RETURNED_EPC_FORMATS, 'No_Preference'].join(', ');
  throw new ApiError('NOT_ACCEPTABLE', errorDetails(name, 'NOT_ACCEPTABLE', { allowed }));
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
