/** Reads captured events by the EPCIS query interface, for tests that compare them byte for byte. */
import { randomUUID } from 'node:crypto';
import { canonical } from '../../../src/events/tree/canonical.js';
import type { Answer, CallOptions } from '../clients/http.js';
import { newParcel, type EpcisEvent, type EpcisFixture } from './epcis-documents.js';

export const newEventId = () => `https://carrier.example/events/${randomUUID()}`;
export const newUrns = (count: number): string[] => Array.from({ length: count }, () => newParcel().urn);
export const declaration = { declarationTime: '2026-03-02T00:00:00Z', reason: 'incorrect_data' };

/** The JSON in canonical form, so that a difference in any byte shows. */
export const texts = (events: readonly unknown[]): string[] =>
  events.map((one) => canonical(JSON.parse(JSON.stringify(one))));

type Query = Readonly<Record<string, string | undefined>>;

/** Reads with the key of the provider that pushes by default. */
export function epcisReader(fixture: () => EpcisFixture) {
  const ask = (query: Query | string, options: CallOptions = {}): Promise<Answer> => {
    const { t } = fixture();
    const path =
      typeof query === 'string'
        ? query
        : `/otep/epcis/events?${new URLSearchParams(JSON.parse(JSON.stringify(query)) as Record<string, string>)}`;
    return t.api(path, { key: t.demo.provider.key, ...options });
  };
  const listOf = ({ json }: Answer): EpcisEvent[] => json.epcisBody.queryResults.resultsBody.eventList;

  return {
    ask,
    find: async (query: Query, options?: CallOptions) => listOf(await ask(query, options)),
    byId: async (eventID: unknown, options?: CallOptions) =>
      listOf(await ask({ EQ_eventID: eventID as string }, options)),

    /** Reads all pages by their links. */
    async pages(query: Query, options?: CallOptions): Promise<EpcisEvent[][]> {
      const read: EpcisEvent[][] = [];
      for (let next: Query | string | undefined = query; next !== undefined;) {
        const answer: Answer = await ask(next, options);
        read.push(listOf(answer));
        const link = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
        next = link && new URL(link).pathname.replace('/api/v1', '') + new URL(link).search;
      }
      return read;
    },
  };
}
