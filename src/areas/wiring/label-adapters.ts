/** The effects of carriers as effects of label orders: with the account, its credentials, and the files of labels. */
import type { OfLabelOrder } from '../../api/areas/labels/label-requests.js';
import type { AccountCall, Adapter, EffectResult, Outcome } from '../../engines/outside/adapter.js';
import type {
  CarrierAdapter,
  CarrierCall,
  CarrierEffect,
  PurchaseRequest,
  PurchaseResult,
  VoidRequest,
  VoidResult,
} from '../../engines/outside/carriers/port.js';
import type { CarrierAccountQueries } from '../../projections/carrier-accounts/queries.js';
import type { CarrierCalls } from './carrier-calls.js';
import type { LabelFiles } from './label-files.js';

export interface LabelAdaptersOptions {
  readonly accounts: Pick<CarrierAccountQueries, 'byId'>;
  readonly calls: Pick<CarrierCalls, 'adapterOf' | 'callFor'>;
  readonly files: Pick<LabelFiles, 'store'>;
}

/** The account cannot be called: nothing is sent. */
const NO_CREDENTIALS = { is: 'not_done', code: 'CREDENTIALS_MISSING', final: true } as const;
const UNKNOWN = { is: 'unknown', cause: 'no_credentials' } as const;

export function createLabelAdapters({ accounts, calls, files }: LabelAdaptersOptions) {
  /** Undefined: the account was removed, or its credentials cannot be opened. */
  async function callOf({ account, business, signal }: AccountCall): Promise<CarrierCall | undefined> {
    const row = await accounts.byId(Number(account), business);
    return row && calls.callFor(row, signal);
  }

  /** The effect with the account of the call. `toResult`: the result that the order records. */
  function wrapped<Request, Result>(
    name: string,
    { dedupe, reserve, act, look }: Bound<Request, Result>,
    toResult: (result: Result, of: AccountCall, request: OfLabelOrder<Request> | undefined) => Promise<EffectResult>,
  ): Adapter<OfLabelOrder<Request>> {
    const recorded = async (
      outcome: Outcome<Result>,
      of: AccountCall,
      request: OfLabelOrder<Request> | undefined,
    ): Promise<Outcome<EffectResult>> =>
      outcome.is === 'done' ? { is: 'done', result: await toResult(outcome.result, of, request) } : outcome;
    return {
      name,
      dedupe,
      ...(reserve && {
        async reserve({ request, ...of }) {
          const call = await callOf(of);
          return call ? reserve(call, of.key, request.request) : NO_CREDENTIALS;
        },
      }),
      async act({ request, remoteId, ...of }) {
        const call = await callOf(of);
        return call ? recorded(await act(call, of.key, request.request, remoteId), of, request) : NO_CREDENTIALS;
      },
      // An earlier call may have been sent, so the result stays unknown.
      async look({ request, remoteId, ...of }) {
        const call = await callOf(of);
        return call ? recorded(await look(call, of.key, request?.request, remoteId), of, request) : UNKNOWN;
      },
    };
  }

  /** A label whose download fails is still bought: the service downloads it again. */
  async function purchaseResult(
    { packages, ...bought }: PurchaseResult,
    { business }: AccountCall,
    request: OfLabelOrder<PurchaseRequest> | undefined,
  ): Promise<EffectResult> {
    const stored = await Promise.all(
      packages.map(async ({ label: file, ...parcel }) => {
        const label = file && request && (await files.store(file, { business, orderId: request.orderId }));
        return { ...parcel, ...(label && { label }) };
      }),
    );
    return { ...bought, packages: stored };
  }

  return {
    purchase(name: string): Adapter<OfLabelOrder<PurchaseRequest>> | undefined {
      const adapter = calls.adapterOf(name);
      return adapter && wrapped(name, bound(adapter.purchase), purchaseResult);
    },
    void(name: string): Adapter<OfLabelOrder<VoidRequest>> | undefined {
      const effect = calls.adapterOf(name)?.void;
      return effect && wrapped(name, bound(effect), (result: VoidResult) => Promise.resolve({ status: result.status }));
    },
  };
}

type Bound<Request, Result> = CarrierEffect<Request, Result>;

/** The functions of an effect, which may be methods that use `this`. */
const bound = <Request, Result>(effect: CarrierEffect<Request, Result>): Bound<Request, Result> => ({
  dedupe: effect.dedupe,
  ...(effect.reserve && { reserve: (call, key, request) => effect.reserve!(call, key, request) }),
  act: (call, key, request, remoteId) => effect.act(call, key, request, remoteId),
  look: (call, key, request, remoteId) => effect.look(call, key, request, remoteId),
});

export type LabelAdapters = ReturnType<typeof createLabelAdapters>;
export type { CarrierAdapter };
