/** Maps: only differences are recorded, and personal layers are never published. */
import { expect } from 'chai';
import { maps, type MapChange, type MapCommand } from '../../../src/commands/maps/decider.js';
import type { Layer, MapView } from '../../../src/events/maps/events.js';
import { commandsTo, given } from '../../support/checks/given.js';

const { of, as } = commandsTo<MapCommand>(7);
const view: MapView = { center: { latitude: 52.5, longitude: 13.4 }, zoom: 11 };
const layer = (personal = false): Layer => ({
  layer_id: 'l1',
  title: 'Shops',
  source: { pois: { tags: [] } },
  columns: [],
  style: { kind: 'point', color: '#000' },
  min_zoom: 0,
  max_zoom: 22,
  shown_to: [],
  personal,
});
const create = (...layers: Layer[]) => of({ do: 'create', name: 'Berlin', view, layers });
const byPublisher = (change: MapChange) => of({ ...change, mayPublish: true });
const publish = () => byPublisher({ do: 'publish', tokenSha256: 'ab', allowedOrigins: [] });

describe('decider of maps', () => {
  it('records differences', () => {
    const made = given(maps, create(layer()));
    expect(made.when(of({ do: 'change', name: 'Berlin', view, layers: [layer()] })).types).to.deep.equal([]);
    expect(made.when(of({ do: 'change', name: 'City', view: { ...view, zoom: 9 }, layers: [] })).types).to.deep.equal([
      'MapRenamed',
      'MapViewSet',
      'MapLayersSet',
    ]);
    expect(made.refusal(as(2, { do: 'archive' }))).to.equal('MAP_NOT_FOUND');
  });

  it('publishes no personal layer', () => {
    expect(given(maps, create(layer(true))).refusal(publish())).to.equal('LAYER_NOT_PUBLIC');
    const published = given(maps, create(layer()), publish());
    expect(published.refusal(byPublisher({ do: 'change', layers: [layer(true)] }))).to.equal('LAYER_NOT_PUBLIC');
    const ended = published.when(byPublisher({ do: 'unpublish' }));
    expect(ended.types).to.deep.equal(['MapUnpublished']);
    expect(ended.then.when(of({ do: 'unpublish' })).types).to.deep.equal([]);
    expect(ended.then.when(of({ do: 'change', layers: [layer(true)] })).types).to.deep.equal(['MapLayersSet']);
  });

  it('publishes a map again, which ends the former link', () =>
    expect(given(maps, create(), publish()).when(publish()).types).to.deep.equal(['MapPublished']));

  it('N9: rejects changes of a published map by callers without the right to publish', () => {
    const published = given(maps, create(layer()), publish());
    for (const change of [
      { do: 'change', name: 'City' },
      { do: 'change', view: { ...view, zoom: 9 } },
      { do: 'change', layers: [] },
      { do: 'unpublish' },
      { do: 'archive' },
    ] as const) {
      expect(published.refusal(of(change))).to.equal('MAP_PUBLISHED');
      expect(published.when(byPublisher(change)).types).to.have.length(1);
    }
    const ended = published.when(byPublisher({ do: 'unpublish' })).then;
    expect(ended.when(of({ do: 'change', name: 'City' })).types).to.deep.equal(['MapRenamed']);
  });
});
