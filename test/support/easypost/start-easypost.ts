/** Starts the double of EasyPost as a separate process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FaultName, Operation } from './faults.js';
import type { ScanOrder } from './trackers.js';

const SCRIPT = fileURLToPath(new URL('server.js', import.meta.url));

/** Key of an account at the double. */
export const EASYPOST_KEY = 'EZTKdouble';

export interface EasypostState {
  /** Every shipment. Shipments that were created to show rates have no reference. */
  readonly shipments: readonly { readonly id: string; readonly reference: string | null }[];
  /** Every label that was bought: a label that was bought twice is there twice. */
  readonly purchases: readonly {
    readonly id: string;
    readonly shipment_id: string;
    readonly reference: string | null;
    readonly rate: string;
  }[];
  readonly refunds: readonly { readonly shipment_id: string }[];
  readonly scan_forms: readonly { readonly id: string; readonly tracking_codes: readonly string[] }[];
}

export interface EasypostDouble {
  /** For EASYPOST_BASE_URL. */
  readonly url: string;
  readonly state: () => Promise<EasypostState>;
  /** Orders a fault for the next calls of an operation, whichever shipment they are about. */
  readonly fail: (operation: Operation, fault: FaultName, more?: { number?: number; times?: number }) => Promise<void>;
  /** Names the process that the faults `kill_...` end. */
  readonly victim: (pid: number) => Promise<void>;
  /** Adds a scan to a tracker. Returns the event that webhooks receive. */
  readonly scan: (order: ScanOrder) => Promise<Readonly<Record<string, unknown>>>;
  /** Changes the status of a refund. */
  readonly settleRefund: (shipmentId: string, status: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** `file`: its state, which a restart continues with. `port`: default: a free one. */
export async function startEasypost(file: string, port = 0): Promise<EasypostDouble> {
  const child = spawn(process.execPath, [SCRIPT, file, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on(
      'line',
      (line) => line.startsWith('ready ') && resolve(line.slice('ready '.length)),
    );
    void exited.then(() => reject(new Error('The double of EasyPost ended before it was ready.')));
  });
  async function post<T>(path: string, body: unknown): Promise<T> {
    const response = await fetch(`${url}/double/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The double of EasyPost responded to ${path} with ${response.status}.`);
    return (await response.json()) as T;
  }
  return {
    url,
    state: () => post('state', {}),
    fail: (operation, fault, { number = 0, times = 1 } = {}) => post('faults', { operation, fault, number, times }),
    victim: (pid) => post('victim', { pid }),
    scan: (order) => post('scans', order),
    settleRefund: (shipmentId, status) => post('refunds', { shipment_id: shipmentId, status }),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
