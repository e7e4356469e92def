import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';

/**
 * Returns a function that validates a message against an AsyncAPI document. It returns the errors; an empty list for a
 * valid message.
 */
export function checkerOf(
  document: object,
): (name: string, message: { readonly headers?: object; readonly payload?: unknown }) => ErrorObject[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'asyncapi');
  return (name, message) =>
    (['headers', 'payload'] as const).flatMap((part) => {
      if (message[part] === undefined) return [];
      const valid = ajv.getSchema(`asyncapi#/components/messages/${name}/${part}`)!;
      return valid(message[part]) ? [] : (valid.errors ?? []);
    });
}
