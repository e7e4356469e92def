/** Name of the timer that ends a pending top-up. */
export const TOP_UP_EXPIRY = 'expiry';
