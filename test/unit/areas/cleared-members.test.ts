/** PATCH clears a member with `null` (rule 4 of docs/api-style.md) if the resource can be without it. */
import { expect } from 'chai';
import { describeFeeds, describeOperations } from '../../../src/compose/describe-operations.js';
import { openApi } from '../../../src/api/rest/openapi.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
interface Body {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}
interface Described {
  readonly operationId: string;
  readonly requestBody: Body;
  readonly responses: Readonly<Record<string, Body>>;
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly patch?: Described }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Members that have a value in each resource, or cannot be cleared, with the reason. */
const NEVER_CLEARED: Readonly<Record<string, string>> = {
  'carrierAccountUpdate.methods': 'only lists omit them; the request names those to change',
  'dispatchSettingsUpdate.start_grace_minutes': 'only employees do not see it; it has a default',
  'orderUpdate.schedule_date': 'a planned date is replaced by another date',
  'orderUpdate.warehouse_id': 'an order of type D or P always has a warehouse once it is set',
  'userUpdate.name': 'a user has a name; it is null after an erasure',
  'warehouseUpdate.dock_minutes': 'only partners do not see it; 0 is none',
};

describe('members that PATCH clears', () => {
  const document = openApi({
    operations: describeOperations(),
    feeds: describeFeeds(),
    baseUrl: '',
  }) as unknown as Document;
  const { schemas } = document.components;
  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolved(schemas[schema.$ref.split('/').at(-1)!]!);
  const isNullable = (schema: Schema): boolean => {
    const { type = [], anyOf, oneOf } = resolved(schema);
    return [type].flat().includes('null') || (anyOf ?? oneOf ?? []).some(isNullable);
  };
  const schemaOf = ({ content }: Body): Schema => resolved(content['application/json'].schema);

  it('accept null, if the resource can be without them', () => {
    const found: string[] = [];
    let compared = 0;
    for (const { patch } of Object.values(document.paths)) {
      if (!patch) continue;
      const resources = Object.values(schemaOf(patch.responses['200']!).properties ?? {}).map(resolved);
      for (const [name, input] of Object.entries(schemaOf(patch.requestBody).properties ?? {}))
        for (const { properties = {}, required = [] } of resources) {
          const output = properties[name];
          if (!output) continue;
          compared += 1;
          const mayBeEmpty = isNullable(output) || !required.includes(name);
          if (mayBeEmpty && !isNullable(input)) found.push(`${patch.operationId}.${name}`);
        }
    }
    expect(compared).to.be.greaterThan(50);
    expect([...new Set(found)].sort(), 'make them nullable with clearable() of src/api/core/clearing.ts').to.deep.equal(
      Object.keys(NEVER_CLEARED),
    );
  });
});
