/** The cards of the test provider. The ids of payment methods are those of Stripe's test mode, if it has such a card. */

export const CARDS = {
  pm_card_visa: 'Card that succeeds',
  pm_card_chargeDeclined: 'Card that is declined',
  pm_card_authenticationRequired: 'Card that needs an authentication',
  pm_card_succeedsLate: 'Card that succeeds some time later',
  pm_card_createDispute: 'Card whose holder disputes the payment later',
  pm_card_pendingRefund: 'Card whose refunds are pending first',
  pm_card_refundFail: 'Card whose refunds succeed first, and fail later',
} as const;
export type Card = keyof typeof CARDS;

export const isCard = (text: string | undefined): text is Card => text !== undefined && Object.hasOwn(CARDS, text);
