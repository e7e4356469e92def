/**
 * Creates a span for each HTTP request, in the trace of its caller. Attributes follow OpenTelemetry's conventions for
 * HTTP servers.
 */
import type { RequestListener, ServerResponse } from 'node:http';
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';

/** Health and metrics requests are not traced: machines repeat them constantly. */
const UNTRACED = /^\/(health|metrics)\b/;

export const traceRequests =
  (tracer: Tracer, listener: RequestListener): RequestListener =>
  (request, response) => {
    if (UNTRACED.test(request.url ?? '')) return listener(request, response);
    const method = request.method ?? 'GET';
    const caller = propagation.extract(ROOT_CONTEXT, request.headers);
    const span = tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
      caller,
    );
    response.once('close', () => {
      const route = routeOf(response);
      const { requestId } = localsOf(response);
      if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
      if (requestId !== undefined) span.setAttribute('request.id', requestId);
      span.setAttribute('http.response.status_code', response.statusCode);
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(caller, span), listener, undefined, request, response);
  };

/**
 * Values that the application stored in the response. The route is its pattern, so a trace contains no personal
 * identifier.
 */
const localsOf = (response: ServerResponse): { readonly route?: string; readonly requestId?: string } =>
  (response as { locals?: object }).locals ?? {};
const routeOf = (response: ServerResponse): string | undefined => localsOf(response).route;
