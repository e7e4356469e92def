/** Helpers to write the events with published hashes. */

/** An event, its published hash, and whether this service assigns that hash or only recognizes it. */
export interface PublishedEvent {
  readonly hash: string;
  readonly as: 'given' | 'recognised';
  readonly event: Readonly<Record<string, unknown>>;
}

/** By the names of the reference implementation's documents. */
export type Published = Readonly<Record<string, readonly PublishedEvent[]>>;

export const given = (hash: string, event: object): PublishedEvent => ({ hash, as: 'given', event: { ...event } });
export const recognised = (hash: string, event: object): PublishedEvent => ({
  hash,
  as: 'recognised',
  event: { ...event },
});

export const dl = (path: string) => `https://links.example/${path}`;
export const links = (...paths: string[]) => paths.map(dl);
export const at = (gln: string) => ({ id: dl(`414/${gln}`) });
export const lots = (...all: readonly (readonly [epcClass: string, quantity?: number, uom?: string])[]) =>
  all.map(([epcClass, quantity, uom]) => ({
    ...(uom && { uom }),
    ...(quantity && { quantity }),
    epcClass: dl(epcClass),
  }));
export const event = (type: string, eventTime: string, eventTimeZoneOffset: string, more: object) => ({
  type: `${type}Event`,
  eventTime,
  eventTimeZoneOffset,
  ...more,
});
export const observed = (time: string, zone: string, more: object) =>
  event('Object', time, zone, { action: 'OBSERVE', ...more });
