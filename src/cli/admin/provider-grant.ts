/** `admin provider grant | ungrant`: grants or revokes write access to a shipment that the provider did not open. */
import { normalizeNumber } from '../../events/otep/check/subject.js';
import { PROFILE } from '../../events/otep/model.js';
import { ownerSchema, trackingId, trackingStream, type Owner } from '../../events/trackings/events.js';
import type { TrackingHead } from '../../projections/trackings/queries.js';
import type { Handled } from '../../commands/core/handle.js';
import { command, type Given, UsageError, type Context } from '../command.js';
import { withWorkbench, type Workbench } from '../engines.js';
import { expectProvider, operatorCause } from './provider-id.js';

const SHARED = {
  args: ['id', 'tracking-number'],
  options: { owner: { value: '<owner>', about: 'business:<id> or provider:<id>' } },
} as const;

export const grantTracking = command({
  name: 'provider grant',
  summary: 'Allow a provider to write to a tracking. With --owner, a missing tracking is created.',
  ...SHARED,
  run: (given, context) =>
    change(given, context, async ({ commands }, { provider, number, owner, head }) => {
      if (head)
        return commands.trackings(trackingStream(head.id), { kind: 'grant', id: head.id, provider }, operatorCause());
      if (!owner) throw new Error(`No tracking has the number ${number}; --owner creates it.`);
      const id = trackingId(owner, number, 0);
      const opening = { owner, number, generation: 0, profile: PROFILE };
      return commands.trackings(
        trackingStream(id),
        { kind: 'open', id, subject: { tracking_number: number }, opening, writers: [provider] },
        operatorCause(),
      );
    }),
});

export const ungrantTracking = command({
  name: 'provider ungrant',
  summary: 'Revoke this permission; events of the provider stay.',
  ...SHARED,
  run: (given, context) =>
    change(given, context, async ({ commands }, { provider, number, head }) => {
      if (!head) throw new Error(`No tracking has the number ${number}.`);
      return commands.trackings(trackingStream(head.id), { kind: 'revoke', id: head.id, provider }, operatorCause());
    }),
});

interface GrantRequest {
  readonly provider: string;
  readonly number: string;
  readonly owner: Owner | undefined;
  /** The tracking that currently has the number, if there is one. */
  readonly head: TrackingHead | undefined;
}

async function change(
  { positionals: [provider, given], values }: Given<typeof SHARED.args, typeof SHARED.options>,
  context: Context,
  apply: (workbench: Workbench, request: GrantRequest) => Promise<Pick<Handled<unknown>, 'changed' | 'position'>>,
): Promise<void> {
  const number = normalizeNumber(given);
  if (number === undefined) throw new UsageError(`${given} is not a tracking number.`);
  const owner = values.owner === undefined ? undefined : readOwner(values.owner);
  return withWorkbench(context, async (workbench) => {
    await expectProvider(workbench.engines.log, provider);
    if (owner?.kind === 'provider') await expectProvider(workbench.engines.log, owner.id);
    await workbench.catchUp();
    const { changed, position } = await apply(workbench, {
      provider,
      number,
      owner,
      head: await choose(workbench, number, owner),
    });
    await workbench.catchUp();
    context.note(!changed ? 'Nothing to change.' : `Done, position ${position}.`);
  });
}

/** Throws if the number belongs to parcels of several owners and `owner` is not given. */
async function choose(
  { queries }: Workbench,
  number: string,
  owner: Owner | undefined,
): Promise<TrackingHead | undefined> {
  const heads = (await queries.byIdentifier(number)).filter(
    (head) => !owner || (head.owner.kind === owner.kind && head.owner.id === owner.id),
  );
  const owners = [...new Set(heads.map((head) => `${head.owner.kind}:${head.owner.id}`))];
  if (owners.length > 1) throw new Error(`Several owners have a parcel ${number}: add --owner ${owners.join(' or ')}.`);
  return heads[0];
}

function readOwner(text: string): Owner {
  const [kind, id = ''] = text.split(/:(.*)/s);
  const owner = ownerSchema.safeParse({ kind, id });
  if (!owner.success || !/^[\w-]{1,64}$/.test(id))
    throw new UsageError('--owner requires business:<id> or provider:<id>.');
  return owner.data;
}
