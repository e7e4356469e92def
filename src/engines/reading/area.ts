/** Area of a stream: the beginning of its name, up to and including the first hyphen. */
export const areaOf = (stream: string): string => stream.slice(0, stream.indexOf('-') + 1);

export const isArea = (prefix: string): boolean => prefix !== '' && prefix === areaOf(prefix);
