/** Chooses the format: the query parameter `format`, else the preference in `Accept`, else the native format. */
import { z } from 'zod';
import type { Format, Representation } from '../../../serializers/format.js';
import { ApiError, fieldError } from '../../core/errors.js';

export interface Chosen {
  readonly format: Format;
  /** The format itself, or the variant that `Accept` selects. */
  readonly representation: Representation;
}

interface MediaRange {
  /** The requested media type, without the parameters `q` and `profile`. */
  readonly mediaType: string;
  readonly type: string;
  readonly profile: string | undefined;
  readonly quality: number;
}

/** A representation that can be sent. `isLabel`: JSON-LD that is sent as JSON with a profile. */
interface Candidate extends Chosen {
  readonly isLabel?: boolean;
}

/**
 * Throws UNKNOWN_FORMAT (400) for the query parameter (named `parameter`) and NOT_ACCEPTABLE (406) for `Accept`; both
 * list the valid names. `Accept` selects a format by its profile (`application/json; profile=epcis`, also
 * `urn:otep:format:epcis`), or by its media type with parameters. If several formats share a media type, the first one
 * is chosen. The response has a media type that the client accepts.
 */
export function chooseFormat(
  formats: readonly Format[],
  format: string | undefined,
  accept: string | undefined,
  parameter = 'format',
): Chosen {
  if (format !== undefined) {
    const named = formatNamed(formats, format, parameter);
    return { format: named, representation: variantFor(named, accept) };
  }
  const native = formats[0]!;
  if (accept === undefined || accept === '*/*' || accept === 'application/json')
    return { format: native, representation: native };
  return negotiated(formats, formats.flatMap(candidatesOf), parseAccept(accept));
}

/**
 * Chooses the format of documents inside a response of type `application/json`, which the client must accept. `Accept`
 * selects the format by its profile only.
 */
export function chooseEnclosedFormat(
  formats: readonly Format[],
  format: string | undefined,
  accept: string | undefined,
): Chosen {
  if (format !== undefined || accept === undefined) return chooseFormat(formats, format, accept);
  const enclosed = formats.map((one, index) => ({
    format: one,
    representation: { ...one, mediaType: JSON_TYPE },
    isLabel: index > 0,
  }));
  return negotiated(formats, enclosed, parseAccept(accept));
}

function formatNamed(formats: readonly Format[], format: string, parameter: string): Format {
  const named = formats.find(({ name }) => name === format);
  if (!named) throw fieldError('UNKNOWN_FORMAT', parameter, { allowed: formatNameList(formats) });
  return named;
}

function negotiated(formats: readonly Format[], candidates: readonly Candidate[], ranges: readonly MediaRange[]) {
  for (const range of ranges) {
    if (range.quality === 0) break;
    const found = candidates.filter(
      (candidate) => fits(candidate, range) && qualityOf(candidate, ranges) >= range.quality,
    );
    const chosen = found.find(({ representation }) => representation.mediaType === range.mediaType) ?? found[0];
    if (chosen) return { format: chosen.format, representation: chosen.representation };
  }
  throw new ApiError('NOT_ACCEPTABLE', {
    params: { allowed: formatNameList(formats) },
    errors: [{ field: 'accept', path: '', code: 'NOT_ACCEPTABLE', params: { allowed: formatNameList(formats) } }],
  });
}

/** Schema of a format name. It lists the names in the documents; `chooseFormat` rejects unknown names. */
export const formatName = (formats: readonly Format[], description: string) =>
  z
    .string()
    .max(64)
    .meta({ description, enum: formats.map(({ name }) => name) });

/** Whether the request comes from a browser: `Accept` prefers `text/html`. */
export function prefersHtml(accept: string | undefined): boolean {
  const [best] = accept === undefined ? [] : parseAccept(accept);
  return best?.type === 'text/html' && best.profile === undefined && best.quality > 0;
}

/** All format names as a text. */
export const formatNameList = (formats: readonly Format[]): string => formats.map(({ name }) => name).join(', ');
const JSON_TYPE = 'application/json';
const isAny = (type: string): boolean => type === '*/*' || type === 'application/*';
const typeOf = ({ mediaType }: Representation): string => mediaType.split(';')[0]!.trim();

/** The format, its variants, and the format as JSON with a profile if its media type is another one. */
function candidatesOf(format: Format): Candidate[] {
  const own = [format, ...(format.variants ?? [])].map((representation) => ({ format, representation }));
  const isJson = own.some(({ representation }) => typeOf(representation) === JSON_TYPE);
  return isJson ? own : [...own, { format, representation: asJson(format), isLabel: true }];
}

/** RFC 6906 and RFC 9110: a client that accepts `application/json; profile=...` gets this type, not a different one. */
const asJson = (format: Format): Representation => ({
  ...format,
  mediaType: `${JSON_TYPE}; profile="urn:otep:format:${format.name}"`,
});

/**
 * Whether a media range includes the candidate. A range without a profile includes no label. Other parameters matter
 * only if they exclude something.
 */
function fits({ format, representation, isLabel = false }: Candidate, range: MediaRange): boolean {
  const { type, mediaType, profile, quality } = range;
  if (profile === undefined ? isLabel : profile !== format.name) return false;
  if (quality === 0 && mediaType !== type && mediaType !== representation.mediaType) return false;
  return isAny(type) || type === typeOf(representation);
}

/** The quality of the most specific range that includes the candidate (RFC 9110, 12.5.1); 0 if none does. */
function qualityOf(candidate: Candidate, ranges: readonly MediaRange[]): number {
  const specificity = ({ type, mediaType, profile }: MediaRange) =>
    (type === '*/*' ? 0 : isAny(type) ? 1 : 2) + (mediaType === type ? 0 : 4) + (profile === undefined ? 0 : 8);
  const including = ranges.filter((range) => fits(candidate, range));
  including.sort((a, b) => specificity(b) - specificity(a));
  return including[0]?.quality ?? 0;
}

/** The representation of a format that was chosen by its name: in a media type that the client accepts, if possible. */
function variantFor(format: Format, accept: string | undefined): Representation {
  if (accept === undefined) return format;
  const ranges = parseAccept(accept).map((range) => ({ ...range, profile: undefined }));
  const own = [format, ...(format.variants ?? [])];
  const named = ranges
    .filter(({ quality }) => quality > 0)
    .map(({ type }) => own.find((representation) => typeOf(representation) === type))
    .find((representation) => representation !== undefined);
  if (named) return named;
  const accepted = candidatesOf(format).find(({ representation }) => qualityOf({ format, representation }, ranges) > 0);
  return accepted?.representation ?? format;
}

/** Media ranges, the preferred ones first. Those with quality 0 are last. */
function parseAccept(accept: string): MediaRange[] {
  return accept
    .slice(0, 1_000)
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
      const value = (name: string) =>
        parameters
          .find((parameter) => parameter.toLowerCase().startsWith(`${name}=`))
          ?.slice(name.length + 1)
          .replaceAll('"', '');
      const quality = Number(value('q') ?? '1');
      const rest = parameters
        .filter((parameter) => !/^(?:q|profile)=/i.test(parameter))
        .map((parameter) => parameter.replaceAll('"', ''));
      return {
        mediaType: [type, ...rest].join('; ').toLowerCase(),
        type: type.toLowerCase(),
        profile: value('profile')?.replace(/^urn:otep:format:/, ''),
        quality: quality > 0 ? quality : 0,
      };
    })
    .filter(({ type }) => type !== '')
    .sort((a, b) => b.quality - a.quality);
}
