/** Saving an entry: the claim of an address and the log agree on one entry, also after interruptions. */
import { expect } from 'chai';
import { createSaving, type SavingOptions } from '../../../src/api/areas/addresses/saving.js';
import { createdEventId, type AddressCommand } from '../../../src/commands/addresses/decider.js';
import type { Cause } from '../../../src/commands/core/handle.js';
import type { OpenedEntry } from '../../../src/projections/addresses/search.js';

const OWNER = { business: 1, customerId: null };
const ENTRY = { kind: 'recipient' as const, address: { street: 'Weg 1' }, default: false };
const CAUSE: Cause = { correlationId: 'c', actor: { kind: 'user', id: '1' }, channel: 'rest' };

/** The log has these entries, and `holder` has the claim of the address. */
function world({
  entries = [],
  holder,
  isFull = false,
}: {
  entries?: OpenedEntry[];
  holder?: number;
  isFull?: boolean;
}) {
  const commands: AddressCommand[] = [];
  const released: number[] = [];
  let held = holder;
  const options: SavingOptions = {
    handle: (_stream, command) => {
      commands.push(command as AddressCommand);
      const changed = !entries.some(({ id }) => id === (command as AddressCommand).id);
      return Promise.resolve({ reply: undefined, changed, position: 'p' });
    },
    queries: { hasEntries: () => Promise.resolve(isFull) },
    keys: {
      find: () => Promise.resolve(held),
      claim: (_owner, _key, id) => Promise.resolve((held ??= id)),
      replace: (_owner, _key, { from, to }) => Promise.resolve((held = held === from ? to : held!)),
      move: () => Promise.resolve(),
      release: (id) => Promise.resolve(void released.push(id)),
      sweep: () => Promise.resolve(0),
    },
    keyOf: (_owner, { street = '' }) => Buffer.from(street.toUpperCase()),
    openEntries: (streams) => Promise.resolve(entries.filter(({ id }) => streams.includes(`address-${id}`))),
  };
  const { save } = createSaving(options);
  return {
    commands,
    released,
    held: () => held,
    save: (cause: Cause = CAUSE) => save({ id: 9, owner: OWNER, entry: ENTRY, commandId: 'command' }, cause),
  };
}
const entry = (more: Partial<OpenedEntry> = {}): OpenedEntry => ({
  ...OWNER,
  ...ENTRY,
  id: 5,
  removed: false,
  createdBy: createdEventId(5, 'another command'),
  ...more,
});

describe('saving an entry of an address book', () => {
  it('creates an entry for a new address', async () => {
    const w = world({});
    expect(await w.save()).to.deep.equal({ id: 9, existing: false, position: 'p' });
    expect(w.commands.map(({ do: name, id }) => [name, id])).to.deep.equal([['save', 9]]);
  });

  it('returns the entry that has the address', async () => {
    const w = world({ entries: [entry()], holder: 5 });
    expect(await w.save()).to.include({ id: 5, existing: true });
  });

  it('reports an existing entry if another request created it under the claim of this one', async () => {
    const other = entry({ id: 9, createdBy: createdEventId(9, 'another command') });
    expect(await world({ entries: [other], holder: 9 }).save()).to.include({ id: 9, existing: true });
  });

  it('reports a new entry to a retry of the command that created it', async () => {
    for (const id of [9, 5]) {
      const own = entry({ id, createdBy: createdEventId(id, 'command') });
      expect(await world({ entries: [own], holder: id }).save()).to.include({ id, existing: false });
    }
  });

  it('completes a claim whose save was interrupted, under its id', async () => {
    const w = world({ holder: 5 });
    expect(await w.save()).to.deep.equal({ id: 5, existing: false, position: 'p' });
    expect(w.held()).to.equal(5);
  });

  for (const [why, gone] of Object.entries({
    'is removed': entry({ removed: true }),
    'is erased': entry({ address: {} }),
    'has moved': entry({ address: { street: 'Weg 2' } }),
  }))
    it(`takes over the claim of an entry that ${why}`, async () => {
      const w = world({ entries: [gone], holder: 5 });
      expect(await w.save()).to.deep.equal({ id: 9, existing: false, position: 'p' });
      expect(w.held()).to.equal(9);
    });

  it('claims nothing in a dry run, and reports the entry that has the address', async () => {
    const dry: Cause = { ...CAUSE, dryRun: [] };
    const fresh = world({});
    expect(await fresh.save(dry)).to.include({ id: 9, existing: false });
    expect(fresh.held()).to.equal(undefined);
    expect(await world({ entries: [entry()], holder: 5 }).save(dry)).to.include({ id: 5, existing: true });
  });

  it('rejects new addresses, but not existing ones, when the book is full', async () => {
    const full = world({ isFull: true });
    const error = await full.save().catch((one: unknown) => one);
    expect(error).to.deep.include({ code: 'INVALID_INPUT' });
    expect((error as { errors: object[] }).errors[0]).to.deep.include({
      code: 'TOO_MANY_ITEMS',
      params: { max: 50_000 },
    });
    expect(full.released).to.deep.equal([9]);
    expect(await world({ isFull: true, entries: [entry()], holder: 5 }).save()).to.include({ existing: true });
  });
});
