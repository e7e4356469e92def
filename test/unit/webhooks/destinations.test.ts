/**
 * For each kind of webhook: its endpoint, and the time from which the endpoint applies. Both are folded from the changes
 * of the settings.
 */
import { expect } from 'chai';
import type { StoredEvent } from '../../../src/events/core/log.js';
import { webhooksStream, type WebhookKind } from '../../../src/events/webhooks/events.js';
import { webhookSettings, type WebhookSettingsRow } from '../../../src/projections/webhooks/read-model.js';
import { destinationOf } from '../../../src/projections/webhooks/destinations.js';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 9, minute)).toISOString();
type Change = readonly [minute: number, type: string, data: object];
const set = (minute: number, kind: string, on = true): Change => [minute, 'WebhookEndpointSet', { kind, on }];
const choose = (minute: number, ...event_types: string[]): Change => [minute, 'WebhookTypesChosen', { event_types }];
const pause = (minute: number, kind: string): Change => [minute, 'WebhookEndpointPaused', { kind, reason: 'gone' }];

/** The endpoint after these changes, and the minute since which it applies. */
function way(kind: WebhookKind, ...changes: readonly Change[]) {
  const row = changes.reduce<WebhookSettingsRow | undefined>(
    (before, [minute, type, data], revision) =>
      webhookSettings.fold(before, {
        stream: webhooksStream(7),
        revision,
        id: `${revision}`,
        type,
        data,
        metadata: { recorded_at: at(minute) },
      } as unknown as StoredEvent),
    undefined,
  );
  const found = row && destinationOf(row, kind);
  return found && [found.endpoint, new Date(found.on_since).getUTCMinutes(), ...(found.paused ? ['paused'] : [])];
}

describe('endpoint of a kind of webhook', () => {
  it('does not exist without an address, or if the kind is not chosen', () => {
    expect(way('order_created')).to.equal(undefined);
    expect(way('order_created', set(1, 'tracking_event'))).to.equal(undefined);
    expect(way('order_created', set(1, 'default'))).to.equal(undefined);
    expect(way('order_created', choose(1, '*'))).to.equal(undefined);
    expect(way('order_created', set(1, 'default'), choose(2, 'tracking_event'))).to.equal(undefined);
    expect(way('order_created', set(1, 'default'), choose(2, '*'), set(3, 'default', false))).to.equal(undefined);
    expect(way('order_created', set(1, 'default'), choose(2, '*'), choose(3))).to.equal(undefined);
  });

  it('is the default address from the time when it is set and the kind is chosen', () => {
    expect(way('order_created', set(1, 'default'), choose(2, '*'))).to.deep.equal(['default', 2]);
    expect(way('order_created', choose(1, '*'), set(2, 'default'))).to.deep.equal(['default', 2]);
    expect(way('order_created', set(1, 'default'), choose(2, '*'), set(3, 'default'))).to.deep.equal(['default', 2]);
    const off = [set(1, 'default'), choose(2, '*'), set(3, 'default', false), set(4, 'default')];
    expect(way('order_created', ...off), 'events from the time in between are not sent').to.deep.equal(['default', 4]);
  });

  it('continues without a gap if the list changes', () => {
    const some = [set(1, 'default'), choose(2, 'order_created')];
    expect(way('order_created', ...some, choose(3, '*'))).to.deep.equal(['default', 2]);
    expect(way('tracking_event', ...some, choose(3, '*'))).to.deep.equal(['default', 3]);
    expect(way('order_created', ...some, choose(3, '*'), choose(4, 'order_created'))).to.deep.equal(['default', 2]);
    expect(way('tracking_event', ...some, choose(3, '*'), choose(4, 'tracking_event'))).to.deep.equal(['default', 3]);
    expect(way('order_created', ...some, choose(3, 'tracking_event'), choose(4, '*'))).to.deep.equal(['default', 4]);
  });

  it('is the separate address if there is one, without a gap between the two', () => {
    const all = [set(1, 'default'), choose(1, '*')];
    expect(way('order_created', ...all, set(3, 'order_created'))).to.deep.equal(['order_created', 1]);
    expect(way('order_created', set(0, 'order_created'), ...all, set(3, 'order_created', false))).to.deep.equal([
      'default',
      0,
    ]);
    // Not if the endpoint of the kind was removed earlier.
    const ended = [set(0, 'order_created'), set(1, 'order_created', false)];
    expect(way('order_created', ...ended, set(2, 'default'), choose(2, '*'))).to.deep.equal(['default', 2]);
  });

  it('is paused only with its endpoint', () => {
    const all = [set(1, 'default'), choose(1, '*'), set(1, 'order_created')];
    expect(way('order_created', ...all, pause(2, 'default'))).to.deep.equal(['order_created', 1]);
    expect(way('tracking_event', ...all, pause(2, 'default'))).to.deep.equal(['default', 1, 'paused']);
    expect(way('tracking_event', ...all, pause(2, 'order_created'))).to.deep.equal(['default', 1]);
    expect(way('tracking_event', ...all, pause(2, 'default'), set(3, 'default'))).to.deep.equal(['default', 1]);
  });
});
