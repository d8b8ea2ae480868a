import fc from 'fast-check';
import type { CompanyWorld } from '../world.ts';
import { arbitraryOfSchema, spoiled } from './arbitrary-of-schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** A tool as the server lists it. */
export type ListedTool = { readonly name: string; readonly inputSchema: Json };

/** A call of a tool. */
export type FuzzCall = {
  readonly tool: string;
  readonly args: Json;
  /** Whether the arguments have one more, which no tool knows. */
  readonly hasUnknown: boolean;
  /** Whether a text of the arguments is longer than any tool takes. */
  readonly hasLong: boolean;
};

/** No tool knows it, under any name. */
export const unknownArgument = 'zebra_argument';

/** Beyond every limit but those of contents, which have other names. */
const long = 'x'.repeat(6_000);

/** Texts that may be as long as a note. */
const contents: ReadonlySet<string> = new Set(['content', 'edits', 'properties']);

const noResolve = (reference: string): never => {
  throw new Error(`The definitions have no references: ${reference}`);
};

/** Ids, paths and titles of notes of either company, so that some calls find one. */
const named = (worlds: readonly CompanyWorld[]): fc.Arbitrary<Json> =>
  fc.oneof(
    fc.constantFrom(...worlds).map(({ noteId }) => ({ id: noteId })),
    fc.constantFrom({ title: 'Plan' }, { path: 'Plan' }, { path: 'x/Plan' }, {}),
  );

/** A short wait, or the bounded time of the test would go into it. */
const withoutWait = (args: Json): Json =>
  typeof args['waitSeconds'] === 'number' ? { ...args, waitSeconds: 0 } : args;

/** Calls of the listed tools: by their schemas, with wrong values, with one argument more, and with a long text. */
export const fuzzToolCall = (
  tools: readonly ListedTool[],
  worlds: readonly CompanyWorld[],
): fc.Arbitrary<FuzzCall> =>
  fc.constantFrom(...tools).chain(({ name: tool, inputSchema }) => {
    const valid = arbitraryOfSchema(inputSchema, noResolve) as fc.Arbitrary<Json>;
    const names = Object.keys((inputSchema['properties'] as Json | undefined) ?? {});
    const texts = names.filter((name) => isText(inputSchema, name) && !contents.has(name));
    const call = (args: Json, more: Partial<FuzzCall> = {}): FuzzCall => ({
      tool,
      args: withoutWait(args),
      hasUnknown: false,
      hasLong: false,
      ...more,
    });
    const likely = fc.tuple(valid, named(worlds)).map(([args, name]) => {
      const { id: _id, path: _path, title: _title, ...rest } = args;
      return { ...rest, ...(names.includes('id') ? name : {}) };
    });
    return fc.oneof(
      { weight: 4, arbitrary: likely.map((args) => call(args)) },
      { weight: 2, arbitrary: valid.map((args) => call(args)) },
      {
        weight: 2,
        arbitrary: spoiled(likely).map((args) => call(isPlain(args) ? args : { value: args })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(likely, fc.jsonValue({ maxDepth: 1 }))
          .map(([args, value]) =>
            call({ ...args, [unknownArgument]: value }, { hasUnknown: true }),
          ),
      },
      ...(texts.length === 0
        ? []
        : [
            {
              weight: 2,
              arbitrary: fc
                .tuple(likely, fc.constantFrom(...texts))
                .map(([args, name]) => call({ ...args, [name]: long }, { hasLong: true })),
            },
          ]),
    );
  });

/** Arguments that are no object are an error of the protocol. */
const isPlain = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (schema: Json, name: string): boolean => {
  const property = (schema['properties'] as Record<string, Json | undefined> | undefined)?.[name];
  return property?.['type'] === 'string' && property['enum'] === undefined;
};
