/** The read model of drivers' profiles. Personal data is encrypted. */
import { DRIVER_PREFIX } from '../../events/drivers/events.js';
import { DriverProfileSet } from '../../events/drivers/profile-and-documents.js';
import { integer, json, type RowOf } from '../core/columns.js';
import { sealedDataOf, type SealedMembers } from '../core/sealed-members.js';
import { table } from '../core/table.js';

const columns = {
  id: integer(),
  business: integer(),
  /** Only the latest profile; empty: never set. */
  sealed: json<SealedMembers[]>(),
  /** Revision of the event that set the profile; -1: never set. */
  revision: integer(),
};
export type ProfileRow = RowOf<typeof columns>;

export const driverProfiles = table({
  name: 'driver_profiles',
  version: 2,
  prefixes: [DRIVER_PREFIX],
  columns,
  fold(row, event) {
    const { type, stream, data, revision } = event;
    const next: ProfileRow = row ?? {
      id: Number(stream.slice(DRIVER_PREFIX.length)),
      business: data['business'] as number,
      sealed: [],
      revision: -1,
    };
    if (type === DriverProfileSet.type) Object.assign(next, { sealed: [sealedDataOf(event)], revision });
    return next;
  },
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'driver_profiles', { 'driver_profiles.driver_profiles': ProfileRow }> {}
}
