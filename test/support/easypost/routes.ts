/** The paths of EasyPost's API that the double has. */
import type { Fault, Operation } from './faults.js';
import { METADATA } from './metadata.js';
import type { Members } from './objects.js';
import { failed, NOT_FOUND, ok, page, shown, type Reply } from './replies.js';
import type { Shipments } from './shipments.js';
import type { Store } from './store.js';
import type { Trackers } from './trackers.js';

export interface Routes {
  readonly store: Store;
  readonly shipments: Shipments;
  readonly trackers: Trackers;
}

export interface Call {
  readonly operation: Operation | undefined;
  /** The shipment whose recipient may name a fault. */
  readonly about: string | undefined;
  readonly company: unknown;
  readonly run: (fault: Fault | undefined) => Reply;
  /** Acts after the response. */
  readonly later?: (ms: number) => void;
}

export interface ParsedRequest {
  readonly method: string;
  /** Below `/v2/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly account: string;
  readonly body: Members;
}

/** The call of a request; undefined: no such path. */
export function createRoutes({ store, shipments, trackers }: Routes) {
  function foundIn(kind: 'scan_form' | 'tracker' | 'event', account: string, id: string): Reply {
    const found = store.get(kind, account, id);
    return found ? ok(shown(found)) : NOT_FOUND;
  }

  return function callOf({ method, path, query, account, body }: ParsedRequest): Call | undefined {
    const plain = (run: () => Reply): Call => ({ operation: undefined, about: undefined, company: undefined, run });
    const [kind, id, verb] = path.split('/');
    const route = `${method} ${kind}${id === undefined ? '' : '/:id'}${verb === undefined ? '' : `/${verb}`}`;
    const about = (operation: Operation, run: Call['run'], shipment = id): Call => ({
      operation,
      about: shipment,
      company: shipment === undefined ? undefined : shipments.find(account, shipment)?.to_address['company'],
      run,
    });
    switch (route) {
      case 'POST shipments': {
        const given = body['shipment'] as Members | undefined;
        const reference = given?.['reference'] as string | undefined;
        const raised = (fault: Fault | undefined) => (fault?.fault === 'price' ? fault.number : 0);
        return {
          operation: reference === undefined ? 'rate' : 'create',
          about: reference,
          company: (given?.['to_address'] as Members | undefined)?.['company'],
          run: (fault) => shipments.create(account, body, raised(fault)),
        };
      }
      case 'GET shipments':
        return plain(() =>
          page(
            'shipments',
            store.list('shipment', account).filter((one) => one['postage_label']),
            query,
          ),
        );
      case 'GET shipments/:id':
        return about('read', () => {
          const found = shipments.find(account, id!);
          return found ? ok(shown(found)) : NOT_FOUND;
        });
      case 'POST shipments/:id/buy':
        return {
          ...about('buy', () => shipments.buy(account, id!, body)),
          later: (ms) => shipments.begin(account, id!, body, ms),
        };
      case 'POST shipments/:id/refund':
        return about('refund', () => shipments.refund(account, id!));
      case 'GET shipments/:id/label':
        return about('label', () => shipments.convert(account, id!, query.get('file_format') ?? ''));
      case 'POST scan_forms': {
        const given = (body['scan_form'] as Members | undefined)?.['shipments'];
        const first = Array.isArray(given) ? (given[0] as { readonly id?: string } | undefined)?.id : undefined;
        return about('scan_form', () => trackers.createForm(account, body), first);
      }
      case 'GET scan_forms':
        return plain(() => page('scan_forms', store.list('scan_form', account), query));
      case 'GET scan_forms/:id':
        return plain(() => foundIn('scan_form', account, id!));
      case 'POST trackers':
        return plain(() => trackers.create(account, body));
      case 'GET trackers': {
        const code = query.get('tracking_code');
        const some = trackers.list(account).filter((one) => code === null || one.tracking_code === code);
        return plain(() => page('trackers', some, query));
      }
      case 'POST trackers/:id':
        return id === 'batch' ? about('track', () => trackers.batch(account, body), undefined) : undefined;
      case 'GET trackers/:id':
        return plain(() => foundIn('tracker', account, id!));
      case 'POST webhooks':
        return plain(() => trackers.createWebhook(account, body));
      case 'GET events/:id':
        return plain(() => foundIn('event', account, id!));
      case 'GET carrier_accounts':
        // Only production keys may list them, and this double has none.
        return plain(() => failed(403, 'MODE.UNAUTHORIZED', 'This resource requires a production API key.'));
      case 'GET metadata/:id':
        return id === 'carriers' ? plain(() => ok(METADATA)) : undefined;
    }
    return undefined;
  };
}
