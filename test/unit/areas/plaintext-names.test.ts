/** N13: every name and free text that events store as plaintext is listed here, with the reason. */
import { expect } from 'chai';
import { z } from 'zod';
import { STREAMS } from '../../../src/areas/index.js';
import type { PersonalMembers } from '../../../src/events/core/event-types.js';

const FREE_TEXT = /(^|_)(name|title|label|note|reason|comment|purpose|contact|text|description|instruction)s?(\[\])?$/;

const PLACE_OF_CARRIER = 'a hub or carrier, public with the tracking number';
const OF_THE_BUSINESS = 'a lasting thing of the business, not a person: docs/security.md asks for it';
const SETTING = 'a setting of the business or carrier';

/** The rule: text about one person, order, parcel or tour is personal; names of lasting things are not. */
const PLAINTEXT: Readonly<Record<string, string>> = {
  'CarrierAccountAdded.name': 'name of an account at a carrier, for staff',
  'CarrierAccountChanged.name': 'name of an account at a carrier, for staff',
  'CarrierMethodsSet.methods[].name': 'name of a shipping method of the carrier',
  'TrackingEventRecorded.location.public_name': PLACE_OF_CARRIER,
  'TrackingEventRecorded.source.public_name': PLACE_OF_CARRIER,
  'TrackingEventAmended.location.public_name': PLACE_OF_CARRIER,
  'TrackingEventAmended.source.public_name': PLACE_OF_CARRIER,
  'TrackingEventKept.location.public_name': PLACE_OF_CARRIER,
  'TrackingEventKept.source.public_name': PLACE_OF_CARRIER,
  'TrackingEventMapped.location.public_name': PLACE_OF_CARRIER,
  'TrackingEventMapped.source.public_name': PLACE_OF_CARRIER,
  'EpcisEventCaptured.events[].name': 'a keyed hash or id of the event',
  'EpcisCaptured.names[]': 'keyed hashes or ids of the events',
  'ProviderRegistered.name': SETTING,
  'StatusMappingSet.mapping[].note': SETTING,
  'BusinessRegistered.name': OF_THE_BUSINESS,
  'BusinessBillingSet.legal_name': OF_THE_BUSINESS,
  'BusinessBillingSet.bank_details.bank_name': OF_THE_BUSINESS,
  'InvoiceIssued.seller.legal_name': OF_THE_BUSINESS,
  'InvoiceIssued.seller.bank_details.bank_name': OF_THE_BUSINESS,
  'CreditNoteIssued.seller.legal_name': OF_THE_BUSINESS,
  'CreditNoteIssued.seller.bank_details.bank_name': OF_THE_BUSINESS,
  'OrderPlanningSet.custom_sizes[].name': SETTING,
  'PackageScanned.site.name': OF_THE_BUSINESS,
  'FleetCreated.name': OF_THE_BUSINESS,
  'FleetRenamed.name': OF_THE_BUSINESS,
  'VehicleAdded.name': OF_THE_BUSINESS,
  'VehicleAdded.capacity.custom[].name': SETTING,
  'VehicleChanged.name': OF_THE_BUSINESS,
  'VehicleChanged.capacity.custom[].name': SETTING,
  'WarehouseOpened.name': OF_THE_BUSINESS,
  'WarehouseChanged.name': OF_THE_BUSINESS,
  'LocationBlocked.reason': 'about a location: not yet encrypted',
  'SkuOpened.name': OF_THE_BUSINESS,
  'PlanningSettingsSet.settings.custom_capacities[].name': SETTING,
  'PoiCreated.name': OF_THE_BUSINESS,
  'PoiChanged.name': OF_THE_BUSINESS,
  'DatasetCreated.name': OF_THE_BUSINESS,
  'DatasetRenamed.name': OF_THE_BUSINESS,
  'DatasetColumnsSet.columns[].name': OF_THE_BUSINESS,
  'DatasetGroupAdded.name': OF_THE_BUSINESS,
  'DatasetGroupRenamed.name': OF_THE_BUSINESS,
  'MapCreated.name': OF_THE_BUSINESS,
  'MapRenamed.name': OF_THE_BUSINESS,
  'MapLayersSet.layers[].title': OF_THE_BUSINESS,
  'RateCardCreated.name': OF_THE_BUSINESS,
  'ReturnReasonSet.incident_reason': 'a code of OTEP',
  'AllianceFounded.name': OF_THE_BUSINESS,
  'AllianceFounded.purpose': OF_THE_BUSINESS,
  'AllianceMemberJoined.display_name': OF_THE_BUSINESS,
};

const innerOf = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? innerOf(schema.unwrap()) : schema;

/** Paths of the text members of a schema that are not encrypted and whose names suggest free text. */
function plaintextIn(schema: unknown, personal: true | PersonalMembers | undefined, path: string): string[] {
  if (personal === true) return [];
  const inner = innerOf(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([name, member]) =>
      plaintextIn(member, personal?.[name], `${path}.${name}`),
    );
  if (inner instanceof z.ZodArray) return plaintextIn(inner.element, personal, `${path}[]`);
  return inner instanceof z.ZodString && FREE_TEXT.test(path.slice(path.lastIndexOf('.') + 1)) ? [path] : [];
}

describe('names in events', () => {
  const found = STREAMS.flatMap(({ events }) => events).flatMap(({ type, schema, personal }) =>
    plaintextIn(schema, personal, type),
  );

  it('N13: are plaintext only where a reason is listed', () => {
    const unlisted = found.filter((path) => !(path in PLAINTEXT));
    expect(unlisted, 'mark the member with personal(...), or list it with a reason').to.deep.equal([]);
    expect(Object.keys(PLAINTEXT).filter((path) => !found.includes(path))).to.deep.equal([]);
  });

  it('N13: of routes are not plaintext', () => {
    const { schema, personal } = STREAMS.flatMap(({ events }) => events).find(({ type }) => type === 'RouteCreated')!;
    expect(plaintextIn(schema, personal, 'RouteCreated')).to.deep.equal([]);
    expect(plaintextIn(schema, {}, 'RouteCreated'), 'without encryption').to.deep.equal(['RouteCreated.name']);
  });
});
