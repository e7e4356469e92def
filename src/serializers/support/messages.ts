/** One line per event, for platforms that show a message: in the reader's language. */
import type { Language, Texts } from '../../events/core/languages.js';
import { statusCode, type Code } from '../../events/otep/codes.js';
import type { TimelineEvent } from '../../events/otep/model.js';
import { labelOf } from './label.js';

const texts = (en: string, fr: string, de: string, es: string, hans: string, hant: string): Texts => ({
  en,
  fr,
  de,
  es,
  'zh-Hans': hans,
  'zh-Hant': hant,
});

const MESSAGES = {
  information_submitted: texts(
    'Shipping information submitted',
    'Informations d’expédition transmises',
    'Sendungsdaten übermittelt',
    'Datos del envío transmitidos',
    '已提交寄件信息',
    '已提交寄件資訊',
  ),
  booking_confirmed: texts(
    'Booking confirmed',
    'Réservation confirmée',
    'Buchung bestätigt',
    'Reserva confirmada',
    '预订已确认',
    '預訂已確認',
  ),
  awaiting_pickup: texts(
    'Awaiting pickup',
    'En attente d’enlèvement',
    'Wartet auf Abholung',
    'Pendiente de recogida',
    '等待取件',
    '等待取件',
  ),
  out_for_pickup: texts(
    'Out for pickup',
    'En route pour l’enlèvement',
    'Fahrer unterwegs zur Abholung',
    'En camino a la recogida',
    '正在前往取件',
    '正在前往取件',
  ),
  picked_up: texts('Picked up', 'Pris en charge', 'Abgeholt', 'Recogido', '已取件', '已取件'),
  pickup_failed: texts(
    'Pickup failed',
    'Échec de l’enlèvement',
    'Abholung fehlgeschlagen',
    'Recogida fallida',
    '取件未成功',
    '取件未成功',
  ),
  pickup_rescheduled: texts(
    'Pickup rescheduled',
    'Enlèvement reprogrammé',
    'Abholung verschoben',
    'Recogida reprogramada',
    '取件已改期',
    '取件已改期',
  ),
  received: texts(
    'Received at facility',
    'Reçu sur le site',
    'Im Depot eingegangen',
    'Recibido en las instalaciones',
    '站点已收件',
    '站點已收件',
  ),
  arrival_scan: texts(
    'Arrived at facility',
    'Arrivé sur le site',
    'Im Depot angekommen',
    'Llegada a las instalaciones',
    '已到达站点',
    '已到達站點',
  ),
  in_transit: texts('In transit', 'En transit', 'Unterwegs', 'En tránsito', '运输中', '運送中'),
  package_outbound: texts(
    'Departed from facility',
    'A quitté le site',
    'Depot verlassen',
    'Salida de las instalaciones',
    '已离开站点',
    '已離開站點',
  ),
  removed_from_route: texts(
    'Removed from route',
    'Retiré de la tournée',
    'Von der Tour genommen',
    'Retirado de la ruta',
    '已从派送路线移除',
    '已自配送路線移除',
  ),
  route_cancelled: texts(
    'Route cancelled',
    'Tournée annulée',
    'Tour abgesagt',
    'Ruta cancelada',
    '派送路线已取消',
    '配送路線已取消',
  ),
  out_for_delivery: texts(
    'Out for delivery',
    'En cours de livraison',
    'In Zustellung',
    'En reparto',
    '派送中',
    '配送中',
  ),
  delivered: texts('Delivered', 'Livré', 'Zugestellt', 'Entregado', '已送达', '已送達'),
  delivery_failed: texts(
    'Delivery attempt failed',
    'Échec de la tentative de livraison',
    'Zustellversuch fehlgeschlagen',
    'Intento de entrega fallido',
    '派送未成功',
    '配送未成功',
  ),
  delivery_rescheduled: texts(
    'Delivery rescheduled',
    'Livraison reprogrammée',
    'Zustellung verschoben',
    'Entrega reprogramada',
    '派送已改期',
    '配送已改期',
  ),
  return_to_sender: texts(
    'Returned to sender',
    'Retourné à l’expéditeur',
    'Zurück an den Absender',
    'Devuelto al remitente',
    '已退回寄件人',
    '已退回寄件人',
  ),
  rejected_by_recipient: texts(
    'Rejected by recipient',
    'Refusé par le destinataire',
    'Annahme verweigert',
    'Rechazado por el destinatario',
    '收件人拒收',
    '收件人拒收',
  ),
  cancelled: texts(
    'Shipment cancelled',
    'Expédition annulée',
    'Sendung storniert',
    'Envío cancelado',
    '运单已取消',
    '貨件已取消',
  ),
} as const satisfies Record<Code, Texts>;

export const PLANNED_DELIVERY = texts(
  'Planned delivery',
  'Livraison prévue',
  'Geplante Zustellung',
  'Entrega prevista',
  '计划送达',
  '預定送達',
);

/** What a code means; `x-customs_hold` reads `Customs hold` in every language. */
export const statusText = (code: string, language: Language = 'en'): string =>
  statusCode(code) ? MESSAGES[code as Code][language] : labelOf(code);

/** The event's own description, which is in the language of its source; else the text of its code. */
export const messageOf = ({ description, status_code }: TimelineEvent, language?: Language): string =>
  description || statusText(status_code, language);
