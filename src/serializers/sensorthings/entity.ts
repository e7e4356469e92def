/**
 * What every entity has. Expanded ones carry no navigation links: those are only in the entity that was asked for.
 */
export interface Entity {
  readonly '@iot.id': string;
  /** Absolute. */
  readonly '@iot.selfLink': string;
  readonly [member: string]: unknown;
}

/** Where an entity, or a list of them, is had: the address of the document and what of it is wanted. */
export const addressOf = (self: string, entity: string): string => `${self}&entity=${encodeURIComponent(entity)}`;

/**
 * Names the entity as a SensorThings path would: `Observations('id')`; a quote in an id is doubled, as OData has it.
 */
export const selfLink = (self: string, set: string, id: string): string =>
  addressOf(self, `${set}('${id.includes("'") ? id.replaceAll("'", "''") : id}')`);

/** The entity of a document, or one of its lists, that an address asks for; undefined where there is none. */
export function entityOf(thing: Entity, asked: string): unknown {
  const list = thing[asked];
  if (Object.hasOwn(thing, `${asked}@iot.navigationLink`)) return { value: list };
  const self = addressOf(thing['@iot.selfLink'], asked);
  const find = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return undefined;
    if ((value as Entity)['@iot.selfLink'] === self) return value;
    for (const member of Object.values(value)) {
      const found = find(member);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(thing);
}
