/** Names of the GraphQL interface: the camelCase of the REST names. */

/** `order_id` is `orderId`, `MATCH_epc` is `matchEpc`; what is camelCase already stays. */
export const camelCase = (name: string): string =>
  name
    .replace(/^[A-Z]+(?=_)/, (prefix) => prefix.toLowerCase())
    .replace(/_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export const pascalCase = (name: string): string => camelCase(name).replace(/^./, (letter) => letter.toUpperCase());
