/**
 * The timeline as a web page, the target of a shop's tracking link. One page without scripts or external resources. It
 * uses the texts of the platform formats, so it supports the same languages.
 */
import { createHash } from 'node:crypto';
import type { Language } from '../events/core/languages.js';
import type { DeliveryPlan, Journey, TimelineEvent } from '../events/otep/model.js';
import { messageOf, plannedDelivery, statusText } from './support/messages.js';
import { parcelNumber } from './support/parcel.js';
import { otherCarriers, shownCarrier } from './support/vendor-subject.js';

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:40rem;margin:0 auto;padding:1rem}h1{font-size:1.1rem;overflow-wrap:anywhere}.status{font-size:1.6rem;font-weight:700}ol{list-style:none;padding:0}li{padding:.5rem 0;border-top:1px solid #8884}time,.place{display:block;opacity:.75;font-size:.9rem}`;

/** Response headers of the page. They allow only the page's own style. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};
export const PAGE_TYPE = 'text/html; charset=utf-8';

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** Returns the page as HTML, the latest event first. */
export function trackingPage(journey: Journey, language: Language): string {
  const { subject, current_status, events } = journey.timeline;
  const number = escape(parcelNumber(subject));
  const carriers = [shownCarrier(journey), otherCarriers(journey)].filter((name) => name !== undefined).join(', ');
  const planned = journey.planned ? plan(journey.planned, language) : '';
  const status = current_status === null ? '' : escape(statusText(current_status, language));
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${number}</title><style>${STYLE}</style></head><body>
<h1>${number}</h1>${carriers === '' ? '' : `<p>${escape(carriers)}</p>`}<p class="status">${status}</p>${planned}
<ol>${events
    .toReversed()
    .map((event) => entry(event, language, journey.carrierMatch?.carriers && event.source?.provider))
    .join('')}</ol>
</body></html>`;
}

/** `carrier`: shown if the events have several. */
function entry(event: TimelineEvent, language: Language, carrier: string | undefined): string {
  const { name, city, region, country } = event.location ?? {};
  const place = [name, city, region, country, carrier].filter(Boolean).join(', ');
  return `<li>${escape(messageOf(event, language))}<time datetime="${escape(event.occurred_at)}">${escape(clock(event.occurred_at))}</time>${place === '' ? '' : `<span class="place">${escape(place)}</span>`}</li>`;
}

/** `Planned delivery: 2026-01-02, 09:00–12:00`, in local time of the place. */
function plan({ date, windows, by }: DeliveryPlan, language: Language): string {
  const hours = windows.map(({ from, to }) => `${from.slice(11, 16)}–${to.slice(11, 16)}`);
  const text = [date, ...hours].join(', ');
  return `<p>${plannedDelivery(language)}: <time datetime="${escape(by)}">${escape(text)}</time></p>`;
}

/** `2026-01-02 09:30 +01:00`: local time of the place, as the source sent it. */
const clock = (time: string): string =>
  `${time.slice(0, 10)} ${time.slice(11, 16)} ${/[Zz]$/.test(time) ? 'UTC' : time.slice(-6)}`;
