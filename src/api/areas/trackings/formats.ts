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

/**
 * Throws UNKNOWN_FORMAT (400) for the query parameter (named `parameter`) and NOT_ACCEPTABLE (406) for `Accept`; both
 * list the valid names. `Accept` selects a format by its profile (`application/json; profile=epcis`, also
 * `urn:otep:format:epcis`), or by its media type with parameters. If several formats share a media type, the first one
 * is chosen.
 */
export function chooseFormat(
  formats: readonly Format[],
  format: string | undefined,
  accept: string | undefined,
  parameter = 'format',
): Chosen {
  if (format !== undefined) {
    const named = formats.find(({ name }) => name === format);
    if (!named) throw fieldError('UNKNOWN_FORMAT', parameter, { allowed: formatNameList(formats) });
    return { format: named, representation: variantFor(named, accept) };
  }
  const native = formats[0]!;
  if (accept === undefined || accept === '*/*' || accept === 'application/json')
    return { format: native, representation: native };
  const mediaRanges = parseAccept(accept);
  for (const mediaRange of mediaRanges) {
    const chosen = matching(formats, mediaRange);
    if (chosen) return chosen;
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
  return best?.type === 'text/html' && best.profile === undefined;
}

/** All format names as a text. */
export const formatNameList = (formats: readonly Format[]): string => formats.map(({ name }) => name).join(', ');
const isAny = (type: string): boolean => type === '*/*' || type === 'application/*';
const typeOf = ({ mediaType }: Representation): string => mediaType.split(';')[0]!.trim();

/** All representations: each format, followed by its variants. */
const representations = (formats: readonly Format[]): Chosen[] =>
  formats.flatMap((format) =>
    [format, ...(format.variants ?? [])].map((representation) => ({ format, representation })),
  );

function matching(formats: readonly Format[], { mediaType, type, profile }: MediaRange): Chosen | undefined {
  const all = representations(formats);
  if (profile !== undefined) {
    const ofProfile = all.filter(({ format }) => format.name === profile);
    return (
      ofProfile.find(({ representation }) => typeOf(representation) === type) ??
      (type.endsWith('json') || isAny(type) ? ofProfile[0] : undefined)
    );
  }
  if (isAny(type)) return all[0];
  return (
    all.find(({ representation }) => representation.mediaType === mediaType) ??
    all.find(({ representation }) => typeOf(representation) === type)
  );
}

function variantFor(format: Format, accept: string | undefined): Representation {
  const mediaRanges = accept === undefined ? [] : parseAccept(accept);
  for (const { type } of mediaRanges) {
    const variant = [format, ...(format.variants ?? [])].find((representation) => typeOf(representation) === type);
    if (variant) return variant;
  }
  return format;
}

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
        quality: Number.isFinite(quality) ? quality : 0,
      };
    })
    .filter(({ quality, type }) => quality > 0 && type !== '')
    .sort((a, b) => b.quality - a.quality);
}
