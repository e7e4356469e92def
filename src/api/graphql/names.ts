/** Names of the GraphQL interface: the REST names in camelCase. */

/** `order_id` becomes `orderId`, `MATCH_epc` becomes `matchEpc`; camelCase names stay unchanged. */
export const camelCase = (name: string): string =>
  name
    .replace(/^[A-Z]+(?=_)/, (prefix) => prefix.toLowerCase())
    .replace(/_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export const pascalCase = (name: string): string => camelCase(name).replace(/^./, (letter) => letter.toUpperCase());
