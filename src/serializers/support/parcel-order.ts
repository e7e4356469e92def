/** What formats that are orders themselves take from the order of a parcel. */
import type { Journey } from '../../events/otep/model.js';
import type { ParcelOrder, Recipient } from '../format.js';
import { carrierName } from './vendor-subject.js';

/** What the shop knows the order by: its own reference, else our number. */
export const orderReference = ({ timeline }: Journey, order: ParcelOrder | undefined): string | undefined =>
  order === undefined ? timeline.subject.order_id : (order.order_ref ?? String(order.id));

/** Who has the parcel in hand. */
export const handlingCarrier = (journey: Journey, order: ParcelOrder | undefined): string =>
  order?.third_party ?? carrierName(journey) ?? 'unknown';

/** The parcel among those of its order, counted from 0; -1: the order is not known. */
export const placeInOrder = ({ timeline }: Journey, order: ParcelOrder | undefined): number =>
  order?.packages.findIndex(({ tracking_number }) => tracking_number === timeline.subject.tracking_number) ?? -1;

/** Only members that say something: an object of a platform has no undefined ones. */
export const filled = <T extends object>(members: T): { [M in keyof T]?: NonNullable<T[M]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as never;

/** The recipient, unless nothing of it is left to tell. */
export const recipientOf = (order: ParcelOrder | undefined): Recipient | undefined =>
  order?.delivery && Object.keys(filled(order.delivery)).length > 0 ? order.delivery : undefined;
