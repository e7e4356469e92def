/** Checks codes that refer to another part of the card. */
import type { Card } from '../../events/pricing/card.js';
import type { Condition } from '../../events/pricing/conditions.js';
import { ANY_ZONE, ONLY_LANE, type Lane } from '../../events/pricing/zones.js';
import { fault, type FaultCode, type Faults } from './fault.js';
import { LaneFinder } from './lane-finder.js';

interface KnownCodes {
  readonly services: ReadonlySet<string>;
  readonly zones: ReadonlySet<string>;
  readonly lanes: ReadonlySet<string>;
  readonly options: ReadonlySet<string>;
}

export function* checkReferences(card: Card): Faults {
  const lanes = card.lanes ?? [];
  const known: KnownCodes = {
    services: new Set(card.services.map(({ code }) => code)),
    zones: new Set((card.zones ?? []).map(({ code }) => code)),
    lanes: new Set(lanes.length === 0 ? [ONLY_LANE] : lanes.map(({ lane }) => lane)),
    options: new Set(card.services.flatMap(({ options = [] }) => options)),
  };
  yield* checkLanes(lanes, known);
  yield* checkTable(card, lanes, known);
  for (const list of ['surcharges', 'taxes'] as const)
    for (const [index, { when = [] }] of (card[list] ?? []).entries())
      for (const [at, condition] of when.entries())
        yield* checkCondition(condition, `/${list}/${index}/when/${at}/value`, known);
}

function* checkLanes(lanes: readonly Lane[], { services, zones }: KnownCodes): Faults {
  const finder = new LaneFinder(lanes);
  for (const [index, { from, to, service }] of lanes.entries()) {
    for (const [member, zone] of [
      ['from', from],
      ['to', to],
    ] as const)
      if (zone !== ANY_ZONE && !zones.has(zone))
        yield fault(`/lanes/${index}/${member}`, 'UNKNOWN_ZONE', `The card has no zone ${zone}.`);
    if (service !== undefined && !services.has(service))
      yield fault(`/lanes/${index}/service`, 'UNKNOWN_SERVICE', `The card has no service ${service}.`);
    const isReached = (one: string): boolean =>
      finder.indexOf(one, from === ANY_ZONE ? undefined : from, to === ANY_ZONE ? undefined : to) === index;
    if (![...(service === undefined ? services : [service])].some(isReached))
      yield fault(`/lanes/${index}`, 'UNREACHABLE_LANE', 'Earlier lanes contain all shipments of this lane.');
  }
}

function* checkTable({ table = [] }: Card, lanes: readonly Lane[], { services, lanes: codes }: KnownCodes): Faults {
  const servicesOf = new Map<string, Set<string | undefined>>();
  for (const { lane, service } of lanes) servicesOf.set(lane, (servicesOf.get(lane) ?? new Set()).add(service));
  for (const [index, { service, lane }] of table.entries()) {
    if (!services.has(service))
      yield fault(`/table/${index}/service`, 'UNKNOWN_SERVICE', `The card has no service ${service}.`);
    const serving = servicesOf.get(lane);
    if (!codes.has(lane) || (serving && !serving.has(undefined) && !serving.has(service)))
      yield fault(`/table/${index}/lane`, 'UNKNOWN_LANE', `The service ${service} has no lane ${lane}.`);
  }
}

/** Fields whose values are codes of the card. */
const CODES: Readonly<Record<string, readonly [known: keyof KnownCodes, code: FaultCode]>> = {
  from_zone: ['zones', 'UNKNOWN_ZONE'],
  to_zone: ['zones', 'UNKNOWN_ZONE'],
  lane: ['lanes', 'UNKNOWN_LANE'],
  option: ['options', 'UNKNOWN_OPTION'],
};

function* checkCondition({ field, op, value }: Condition, path: string, known: KnownCodes): Faults {
  const reference = CODES[field];
  if (!reference) return;
  const [list, code] = reference;
  for (const [index, one] of [value].flat().entries())
    if (!known[list].has(String(one)))
      yield fault(op === 'in' ? `${path}/${index}` : path, code, `The card has no ${field} ${one}.`);
}
