/**
 * What every entity has. Expanded ones carry no navigation links: those stand only in the entity that was asked for.
 */
export interface Entity {
  readonly '@iot.id': string;
  /** Absolute. */
  readonly '@iot.selfLink': string;
  readonly [member: string]: unknown;
}

/** `{self}#Observations('id')`: a quote in a string id is doubled, as OData has it. */
export const selfLink = (self: string, set: string, id: string): string =>
  `${self}#${set}('${encodeURIComponent(id.includes("'") ? id.replaceAll("'", "''") : id)}')`;
