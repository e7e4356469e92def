/**
 * OTLP/JSON: strict checks that lenient receivers omit, then the protobuf classes of OpenTelemetry as an independent
 * decoder.
 */
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js';

type Json = Record<string, unknown>;

interface Message {
  fromObject(object: Json): unknown;
  encode(message: unknown): { finish(): Uint8Array };
  decode(bytes: Uint8Array): unknown;
  toObject(message: unknown, options: object): Json;
}

const Request = (
  root as unknown as {
    opentelemetry: { proto: { collector: { trace: { v1: { ExportTraceServiceRequest: Message } } } } };
  }
).opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

interface Span extends Json {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Json }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code: number };
}

interface ResourceSpans {
  readonly resource: { readonly attributes: Span['attributes'] };
  readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
}

/**
 * Returns all errors of an ExportTraceServiceRequest, one line each. Source: opentelemetry-proto, "JSON Protobuf
 * Encoding" and trace.proto.
 */
export function otlpErrors(document: unknown): string[] {
  const { resourceSpans } = document as { readonly resourceSpans: readonly ResourceSpans[] };
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return [
    ...resourceSpans.flatMap(({ resource }) => resourceErrors(resource.attributes)),
    ...spans.flatMap(spanErrors),
    ...traceErrors(spans),
    ...decodingErrors(document as Json),
  ];
}

function resourceErrors(attributes: Span['attributes']): string[] {
  const service = attributes.find(({ key }) => key === 'service.name')?.value.stringValue;
  return [
    ...attributeErrors(attributes),
    ...(typeof service === 'string' && service !== '' ? [] : ['a resource has no service.name']),
  ];
}

function spanErrors(span: Span): string[] {
  const errors = attributeErrors(span.attributes);
  const check = (right: boolean, message: string) => {
    if (!right) errors.push(`${span.name} ${span.spanId}: ${message}`);
  };
  check(isId(span.traceId, 32), 'traceId is not 16 bytes of hex');
  check(isId(span.spanId, 16), 'spanId is not 8 bytes of hex');
  check(span.parentSpanId === undefined || isId(span.parentSpanId, 16), 'parentSpanId is not 8 bytes of hex');
  check(typeof span.name === 'string' && span.name !== '', 'no name');
  check(Number.isInteger(span.kind) && span.kind >= 0 && span.kind <= 5, 'kind is not a number of SpanKind');
  check(span.status === undefined || [0, 1, 2].includes(span.status.code), 'status is not a number of StatusCode');
  check(isTimed(span), 'a time is not the text of an unsigned 64-bit number');
  // The protocol allows equal times, but Jaeger changes them.
  if (errors.length === 0)
    check(BigInt(span.endTimeUnixNano) > BigInt(span.startTimeUnixNano), 'ends before it starts, or has no length');
  if (span.status?.code === 2)
    check(
      span.attributes.some(({ key }) => key === 'error.type'),
      'failed without error.type',
    );
  return errors;
}

function attributeErrors(attributes: Span['attributes']): string[] {
  if (!Array.isArray(attributes)) return ['attributes are no list'];
  const keys = attributes.map(({ key }) => key);
  return [
    ...(new Set(keys).size === keys.length ? [] : ['an attribute key stands twice']),
    ...keys
      .filter((key) => !/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/.test(key))
      .map((key) => `${key} is not a lowercase, dotted name`),
    ...(attributes as Span['attributes'])
      .filter(({ value }) => Object.keys(value).length !== 1)
      .map(({ key }) => `${key} has not one value`),
  ];
}

function traceErrors(spans: readonly Span[]): string[] {
  if (spans.length === 0) return [];
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const known = ({ traceId, spanId }: { traceId: string; spanId: string }) =>
    traceId === spans[0]!.traceId && ids.has(spanId);
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  const [start, end] =
    roots[0] && isTimed(roots[0]) ? [BigInt(roots[0].startTimeUnixNano), BigInt(roots[0].endTimeUnixNano)] : [0n, 0n];
  return [
    ...(ids.size === spans.length ? [] : ['two spans have one id']),
    ...(new Set(spans.map(({ traceId }) => traceId)).size === 1 ? [] : ['more than one trace']),
    ...(roots.length === 1 ? [] : [`${roots.length} roots`]),
    ...spans
      .filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))
      .map(({ name }) => `${name} has an unknown parent`),
    ...spans.flatMap(({ links = [] }) => links.filter((link) => !known(link)).map(() => 'a link leads nowhere')),
    ...spans
      .filter(isTimed)
      .filter((span) => BigInt(span.startTimeUnixNano) < start || BigInt(span.endTimeUnixNano) > end)
      .map(({ name }) => `${name} lies outside of the journey`),
  ];
}

/** Compares the document with its decoded form: the decoder drops unknown members and changes misread ones. */
function decodingErrors(document: Json): string[] {
  try {
    const bytes = Request.encode(
      Request.fromObject(mapIds(document, (hex) => Buffer.from(hex, 'hex')) as Json),
    ).finish();
    const back = Request.toObject(Request.decode(bytes), { longs: String, enums: Number, bytes: String });
    const read = JSON.stringify(sorted(mapIds(back, (base64) => Buffer.from(base64, 'base64').toString('hex'))));
    return read === JSON.stringify(sorted(document)) ? [] : ['the protobuf decoder reads something else'];
  } catch (error) {
    return [`the protobuf decoder refuses it: ${String(error)}`];
  }
}

function mapIds(value: unknown, map: (id: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapIds(one, map));
  if (typeof value !== 'object' || value === null) return value;
  const isKey = (key: string) => /^(trace|span|parentSpan)Id$/.test(key);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      isKey(key) && typeof member === 'string' ? map(member) : mapIds(member, map),
    ]),
  );
}

/** Sorts members and removes empty lists, because protobuf does not distinguish empty from absent lists. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => !Array.isArray(member) || member.length > 0);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]));
}

const isId = (value: unknown, digits: number): boolean =>
  typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value) && !/^0+$/.test(value);
const isNanos = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{1,20}$/.test(value) && BigInt(value) < 1n << 64n;
const isTimed = (span: Span): boolean => isNanos(span.startTimeUnixNano) && isNanos(span.endTimeUnixNano);
