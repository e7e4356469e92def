/** Members of every entity. Expanded entities have no navigation links; only the requested entity has them. */
export interface Entity {
  readonly '@iot.id': string;
  /** Absolute. */
  readonly '@iot.selfLink': string;
  readonly [member: string]: unknown;
}

/** Returns the address of an entity or a list of entities: the address of the document with the `entity` parameter. */
export const addressOf = (self: string, entity: string): string => `${self}&entity=${encodeURIComponent(entity)}`;

/** Names the entity like a SensorThings path: `Observations('id')`. A quote in an id is doubled, as in OData. */
export const selfLink = (self: string, set: string, id: string): string =>
  addressOf(self, `${set}('${id.includes("'") ? id.replaceAll("'", "''") : id}')`);

/** Returns the entity or list of a document that `entityId` names; undefined if there is none. */
export function entityOf(thing: Entity, entityId: string): unknown {
  const list = thing[entityId];
  if (Object.hasOwn(thing, `${entityId}@iot.navigationLink`)) return { value: list };
  const self = addressOf(thing['@iot.selfLink'], entityId);
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
