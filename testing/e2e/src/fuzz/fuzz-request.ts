import { publicRoutes, type RouteContract } from '@commonplace/contracts';
import { openApiDocument } from '@commonplace/openapi';
import fc from 'fast-check';
import type { CompanyWorld } from '../world.ts';
import { arbitraryOfSchema, spoiled } from './arbitrary-of-schema.ts';

type Json = Readonly<Record<string, unknown>>;

const document = openApiDocument(publicRoutes) as unknown as Json;

const resolve = (reference: string): Json =>
  reference
    .split('/')
    .slice(1)
    .reduce<Json>((place, name) => place[name] as Json, document);

/** One request to send. */
export type FuzzRequest = {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The caller that sends it. */
  readonly caller: string;
  /** The body is sent as a form. */
  readonly isForm: boolean;
};

const operationOf = ({ path, method }: RouteContract): Json =>
  ((document['paths'] as Json)[path] as Json)[method] as Json;

/** The client would resolve a dot segment and address another route. */
const isSegment = (text: string): boolean => text !== '.' && text !== '..';

/** Existing ids of either company, and sometimes unknown or malformed ones. */
const pathValue = (name: string, worlds: readonly CompanyWorld[]): fc.Arbitrary<string> => {
  const known = worlds.map((world) =>
    name === 'id' || name === 'copyId'
      ? world.noteId
      : (world as Readonly<Record<string, string>>)[name],
  );
  const existing = known.filter((id) => id !== undefined);
  return fc.oneof(
    ...(existing.length > 0 ? [{ weight: 8, arbitrary: fc.constantFrom(...existing) }] : []),
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.integer({ min: -2, max: 5 }).map(String) },
    {
      weight: 1,
      arbitrary: fc
        .string({ minLength: 1, maxLength: 20 })
        .map(encodeURIComponent)
        .filter(isSegment),
    },
  );
};

const pathOf = (contract: RouteContract, worlds: readonly CompanyWorld[]): fc.Arbitrary<string> => {
  const names = [...contract.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return fc
    .tuple(...names.map((name) => pathValue(name, worlds)))
    .map((values) =>
      names.reduce(
        (path, name, index) => path.replace(`{${name}}`, () => String(values[index])),
        contract.path,
      ),
    );
};

const queryOf = (operation: Json): fc.Arbitrary<string> => {
  const parameters = ((operation['parameters'] as Json[] | undefined) ?? []).filter(
    (parameter) => parameter['in'] === 'query',
  );
  const pairs = parameters.map((parameter) =>
    fc
      .oneof(
        { weight: 3, arbitrary: arbitraryOfSchema(parameter['schema'] as Json, resolve) },
        { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
      )
      .map(
        (value) =>
          `${String(parameter['name'])}=${encodeURIComponent(String(value).toWellFormed())}`,
      ),
  );
  return pairs.length === 0
    ? fc.constantFrom('', '', 'nope=1')
    : fc.oneof(
        fc.constant(''),
        fc.subarray(pairs).chain((chosen) => fc.tuple(...chosen).map((parts) => parts.join('&'))),
      );
};

const bodyOf = (operation: Json): fc.Arbitrary<unknown> => {
  const content = (operation['requestBody'] as Json | undefined)?.['content'] as Json | undefined;
  if (!content) {
    return fc.constant(undefined);
  }
  const [type = {}] = Object.values(content) as Json[];
  const valid = arbitraryOfSchema(type['schema'] as Json, resolve);
  return fc.oneof(
    { weight: 3, arbitrary: valid },
    { weight: 2, arbitrary: spoiled(valid) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
};

/** Some of the headers that an operation declares, with plausible and broken values. */
const headersOf = (operation: Json): fc.Arbitrary<Record<string, string>> => {
  const names = ((operation['parameters'] as Json[] | undefined) ?? [])
    .filter((parameter) => parameter['in'] === 'header')
    .map((parameter) => String(parameter['name']))
    // With a company of nowhere, every request would end there.
    .filter((name) => name !== 'X-Company-Id');
  const value = fc.constantFrom(
    '"1"',
    '"2"',
    'W/"1"',
    '*',
    'nonsense',
    'return=minimal',
    'respond-async',
    'key',
  );
  return fc
    .oneof(fc.constant([]), fc.subarray(names))
    .chain((chosen) =>
      fc
        .tuple(...chosen.map(() => value))
        .map((values) =>
          Object.fromEntries(chosen.map((name, index) => [name, values[index] ?? ''])),
        ),
    );
};

/** Requests to these operations of the document, by every kind of caller. */
export const fuzzRequest = (
  worlds: readonly CompanyWorld[],
  callers: readonly string[],
  routes: readonly RouteContract[] = publicRoutes,
): fc.Arbitrary<FuzzRequest> =>
  fc.constantFrom(...routes).chain((contract) => {
    const operation = operationOf(contract);
    return fc
      .tuple(
        pathOf(contract, worlds),
        queryOf(operation),
        bodyOf(operation),
        headersOf(operation),
        fc.constantFrom(...callers),
      )
      .map(([path, query, body, headers, caller]) => ({
        operationId: contract.operationId,
        headers,
        method: contract.method.toUpperCase(),
        isForm: contract.bodyType === 'form',
        path: query ? `${path}?${query}` : path,
        body,
        caller,
      }));
  });
