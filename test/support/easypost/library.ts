/** The official library. Its type declarations do not have its default export, so the members that tests use are here. */
import type { IShipmentCreateParameters, Shipment, ScanForm, Tracker, Webhook } from '@easypost/api';
import type { EasypostAccount } from './contract.js';

export interface EasypostLibrary {
  readonly Shipment: {
    create(of: Partial<IShipmentCreateParameters>): Promise<Shipment>;
    buy(id: string, rate: string, insurance?: number): Promise<Shipment>;
    retrieve(id: string): Promise<Shipment>;
  };
  readonly ScanForm: { create(of: { readonly shipments: readonly { readonly id: string }[] }): Promise<ScanForm> };
  readonly Tracker: { create(of: { readonly tracking_code: string }): Promise<Tracker> };
  readonly Webhook: { create(of: { readonly url: string; readonly webhook_secret: string }): Promise<Webhook> };
  readonly Utils: {
    /** Throws if the signature is not valid. */
    validateWebhook(body: Buffer, headers: Readonly<Record<string, string>>, secret: string): unknown;
  };
  makeApiCall(method: string, path: string): Promise<unknown>;
}

const { default: Library } = (await import('@easypost/api')) as unknown as {
  readonly default: new (key: string, options: { readonly baseUrl: string }) => EasypostLibrary;
};

export const libraryFor = ({ url, key }: EasypostAccount): EasypostLibrary =>
  new Library(key, { baseUrl: `${url}/v2/` });
