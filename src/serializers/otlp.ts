/**
 * OpenTelemetry: the journey as one trace in the JSON encoding of OTLP; `POST /v1/traces` accepts it unchanged. Each
 * source is a separate service, so that a viewer shows the handovers of the parcel.
 */
import type { Journey } from '../events/otep/model.js';
import { OTEP_VERSION } from '../events/otep/model.js';
import type { Format } from './format.js';
import { journeySpans, type Span } from './otlp/spans.js';
import { text } from './otlp/attributes.js';

const SCOPE = { name: 'otep', version: OTEP_VERSION };

export const otlp: Format = {
  name: 'otlp',
  mediaType: 'application/json',
  standard: 'OpenTelemetry Protocol, ExportTraceServiceRequest (JSON)',
  version: '1.9.0',
  revision: 2,
  direction: 'out',
  lost: [
    'times before 1970 and after 2554, which an unsigned count of nanoseconds cannot represent: they become its minimum or maximum',
  ],
  serialize: exportTraceServiceRequest,
};

/** A journey without events has no time and so no span; then the request is empty. */
function exportTraceServiceRequest(journey: Journey): unknown {
  const services = new Map<string, Span[]>();
  for (const { service, span } of journeySpans(journey)) {
    const spans = services.get(service);
    if (spans) spans.push(span);
    else services.set(service, [span]);
  }
  return {
    resourceSpans: [...services].map(([service, spans]) => ({
      resource: { attributes: [text('service.name', service)] },
      scopeSpans: [{ scope: SCOPE, spans }],
    })),
  };
}
