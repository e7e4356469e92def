/**
 * What a foreign EPCIS event said that a native event has no member for travels as its `x-epcis`: business context,
 * sensor readings, other people's extensions. Here it goes back to where it came from, if it still fits there.
 */
import { checkEvent } from './event-schema.js';
import { isRecord, type JsonRecord } from './records.js';
import { prefixesOf } from './context.js';
import { GS1_PREFIXES, OTEP_NAMESPACE, OTEP_PREFIX } from './vocabulary.js';

export const KEPT = 'x-epcis';

/** Members that every event of ours writes itself, and members that only other event types have. */
const NOT_GIVEN: ReadonlySet<string> = new Set([
  'type', 'eventTime', 'eventID', 'recordTime', 'epcList', 'errorDeclaration', 'parentID', 'childEPCs', 'childQuantityList',
  'inputEPCList', 'inputQuantityList', 'outputEPCList', 'outputQuantityList', 'transformationID',
]);

export interface Given {
  /** Members for the EPCIS event. */
  readonly members: JsonRecord;
  /** What of `x-epcis` has no place there. */
  readonly rest: unknown;
}

const FRAME = { type: 'ObjectEvent', eventTime: '2000-01-01T00:00:00Z', eventTimeZoneOffset: '+00:00', action: 'OBSERVE', epcList: [] };

/**
 * Splits `x-epcis` into the members that an ObjectEvent can have and the rest. Anybody can push an `x-epcis` of any
 * content, so it is given back only as a whole that the schema accepts, and never where it would redefine a prefix that
 * this document relies on.
 */
export function giveBack(kept: unknown): Given {
  if (!isRecord(kept)) return { members: {}, rest: kept };
  const members: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const name in kept) (NOT_GIVEN.has(name) ? rest : members)[name] = kept[name];
  if (members['ilmd'] !== undefined && members['action'] !== 'ADD') move('ilmd', members, rest);
  if (Object.keys(members).length === 0 || !isGivable(members)) return { members: {}, rest: kept };
  return { members, rest: Object.keys(rest).length > 0 ? rest : undefined };
}

function move(name: string, from: Record<string, unknown>, to: Record<string, unknown>): void {
  to[name] = from[name];
  delete from[name];
}

function isGivable(members: JsonRecord): boolean {
  const context = members['@context'] ?? {};
  if (!isRecord(context) || Object.keys(context).some((name) => GS1_PREFIXES.has(name) || name === OTEP_PREFIX || !/^[A-Za-z][\w.-]*$/.test(name))) return false;
  const prefixes = prefixesOf(context);
  if (Object.keys(context).some((name) => context[name] !== prefixes.get(name) || prefixes.get(name)!.startsWith(OTEP_NAMESPACE))) return false;
  if (Object.keys(members).some((name) => name.startsWith(`${OTEP_PREFIX}:`) || name.startsWith(OTEP_NAMESPACE))) return false;
  return checkEvent({ ...FRAME, ...members }, '').length === 0;
}
