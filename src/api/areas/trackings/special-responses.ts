/** Special responses: the HTML page of a timeline, and a part of a document that a link refers to. */
import { PAGE_HEADERS, PAGE_TYPE, trackingPage } from '../../../serializers/page.js';
import { ANONYMOUS, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import type { Language } from '../../core/messages/index.js';
import type { Representation } from '../../core/operation.js';
import type { Chosen } from './formats.js';
import type { Found } from './parcel-finder.js';
import type { TimelineReader } from './timelines.js';

export function createSpecialResponses(reader: TimelineReader, baseUrl: () => string) {
  return {
    /** Shows the public view. */
    async page(found: Found, language: Language): Promise<Representation> {
      const { journey } = await reader.journey(found, ANONYMOUS);
      return {
        body: Buffer.from(trackingPage(journey, language)),
        mediaType: PAGE_TYPE,
        headers: { ...PAGE_HEADERS, 'Content-Language': language },
      };
    },

    /** Throws NOT_FOUND, and INVALID_INPUT for a format whose documents have no parts. */
    async part(found: Found, { format }: Chosen, partName: string, caller: Caller): Promise<Representation> {
      if (!format.part)
        throw new ApiError('INVALID_INPUT', {
          errors: [
            {
              field: 'entity',
              path: '',
              code: 'UNKNOWN_PARAMETER',
              params: { name: 'entity', allowed: 'format=sensorthings' },
            },
          ],
        });
      const { journey } = await reader.journey(found, caller);
      const document: unknown = JSON.parse(JSON.stringify(format.serialize(journey, { baseUrl: baseUrl() })));
      const part = format.part(document, partName);
      if (part === undefined) throw new ApiError('NOT_FOUND');
      return { body: Buffer.from(JSON.stringify(part)), mediaType: format.mediaType };
    },
  };
}
