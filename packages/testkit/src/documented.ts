import { publicRoutes } from '@commonplace/contracts';
import { openApiDocument } from '@commonplace/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Json = Readonly<Record<string, unknown>>;

export type Answer = {
  readonly method: string;
  /** Path with or without query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: unknown;
};

const documentId = 'https://commonplace.invalid/openapi.json';
const pointer = (...parts: string[]): string =>
  parts
    .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');

const load = () => {
  const document = openApiDocument(publicRoutes);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: documentId, ...document });
  return { document, ajv, validators: new Map<string, ValidateFunction>() };
};

let loaded: ReturnType<typeof load> | undefined;

const templateOf = (paths: Json, path: string): string | undefined => {
  const matches = Object.keys(paths).filter((template) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  // A literal path wins over one with parameters, as in the gateway.
  return matches.toSorted((a, b) => a.split('{').length - b.split('{').length)[0];
};

const validatorOf = (ref: string): ValidateFunction => {
  const { ajv, validators } = (loaded ??= load());
  const known = validators.get(ref) ?? ajv.compile({ $ref: `${documentId}#${ref}` });
  validators.set(ref, known);
  return known;
};

/**
 * Throws unless the OpenAPI document declares this answer: its status for that operation, its content
 * type, and a body that fits the schema. Internal routes are not in the document and pass.
 */
export const assertDocumented = (answer: Answer): void => {
  const { document } = (loaded ??= load());
  const path = answer.path.split('?')[0] ?? answer.path;
  const template = templateOf((document.paths ?? {}) as Json, path);
  const operation =
    template && ((document.paths as Json)[template] as Json)[answer.method.toLowerCase()];
  if (!template || !operation) {
    return;
  }
  const where = `${answer.method.toUpperCase()} ${template} ${answer.status}`;
  const response = ((operation as Json)['responses'] as Json)[String(answer.status)] as
    | Json
    | undefined;
  if (!response) {
    throw new Error(`${where} is not in the OpenAPI document: ${JSON.stringify(answer.body)}`);
  }
  const types = Object.keys((response['content'] as Json | undefined) ?? {});
  const type = types.find((candidate) => answer.contentType?.startsWith(candidate));
  if (types.length > 0 && !type) {
    throw new Error(`${where} answered ${answer.contentType}, documented is ${types.join(', ')}`);
  }
  if (type?.includes('json')) {
    const ref = pointer(
      'paths',
      template,
      answer.method.toLowerCase(),
      'responses',
      String(answer.status),
      'content',
      type,
      'schema',
    );
    const validate = validatorOf(ref);
    if (!validate(answer.body)) {
      throw new Error(
        `${where} does not fit its schema: ${JSON.stringify(validate.errors?.slice(0, 3))}`,
      );
    }
  }
};
