/** Order data for formats whose documents are orders. */
import type { Journey } from '../../events/otep/model.js';
import type { ParcelOrder, Recipient } from '../format.js';
import { carrierName } from './vendor-subject.js';

/** Returns the reference that the shop gave to the order. An id of this service never takes its place. */
export const orderReference = (order: ParcelOrder | undefined): string | undefined => order?.order_ref ?? undefined;

/** Returns the carrier that handles the parcel. */
export const handlingCarrier = (journey: Journey, order: ParcelOrder | undefined): string =>
  order?.third_party ?? carrierName(journey) ?? 'unknown';

/** Returns the index of the parcel in its order, from 0; -1 if the order is not known. */
export const placeInOrder = ({ timeline }: Journey, order: ParcelOrder | undefined): number =>
  order?.packages.findIndex(({ tracking_number }) => tracking_number === timeline.subject.tracking_number) ?? -1;

/** Removes undefined and null members, because the platforms expect absent members instead. */
export const filled = <T extends object>(members: T): { [M in keyof T]?: NonNullable<T[M]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as never;

/** Returns the recipient, or undefined if all its members are empty. */
export const recipientOf = (order: ParcelOrder | undefined): Recipient | undefined =>
  order?.delivery && Object.keys(filled(order.delivery)).length > 0 ? order.delivery : undefined;
