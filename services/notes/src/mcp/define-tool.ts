import type { RouteContract } from '@commonplace/contracts/core';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { assertMayCall } from './may-call.ts';
import type { McpSession } from './mcp-session.ts';
import { parseCall } from './parse-call.ts';
import { readArguments, type Aliases } from './read-arguments.ts';

/** A tool of the MCP server. */
export type McpTool = {
  readonly definition: Tool;
  /** The same for callers whose changes become proposals. */
  readonly proposingDefinition: Tool;
  /** Listed for callers that may call this route; null: for all. */
  readonly contract: RouteContract | null;
  readonly run: (session: McpSession, given: unknown) => Promise<CallToolResult>;
};

type ToolOptions<Input extends z.ZodObject> = {
  readonly name: string;
  readonly description: string;
  readonly contract: RouteContract | null;
  readonly input: Input;
  /** The arguments as they are listed, where that is shorter. */
  readonly listed?: z.ZodObject;
  /** Arguments that are listed only where changes become proposals. */
  readonly listedForProposals?: z.ZodRawShape;
  /** The structure of small results. */
  readonly output?: z.ZodObject;
  /** What a call does: nothing to notes, adds or changes them, or may lose text. */
  readonly effect: 'reads' | 'writes' | 'destroys';
  readonly isIdempotent?: boolean;
  /** Other names that models use for an argument. */
  readonly aliases?: Aliases;
  /** Further arguments that `prepare` takes. */
  readonly others?: readonly string[];
  /** Changes the arguments before they are checked. */
  readonly prepare?: (given: Record<string, unknown>) => Record<string, unknown>;
  readonly run: (session: McpSession, args: z.output<Input>) => Promise<CallToolResult>;
};

/** Defines a tool: its definition as clients list it, and the check of its arguments. */
export const defineTool = <Input extends z.ZodObject>(options: ToolOptions<Input>): McpTool => {
  const { contract, input, listed = input, listedForProposals = {}, aliases = {}, run } = options;
  const definition = definitionOf(options, jsonSchemaOf(listed));
  const { inputSchema } = definition;
  const others = [...(options.others ?? []), ...Object.keys(listedForProposals)];
  const names = { aliases, properties: inputSchema.properties, others };
  const { prepare = (given) => given } = options;
  return {
    contract,
    definition,
    proposingDefinition: options.listedForProposals
      ? { ...definition, inputSchema: jsonSchemaOf(listed.extend(listedForProposals)) }
      : definition,
    run: async (session, given) => {
      if (contract) {
        assertMayCall(session, contract);
      }
      return run(session, parseCall(input, prepare(readArguments(given, names))));
    },
  };
};

const definitionOf = <Input extends z.ZodObject>(
  { name, description, output, effect, isIdempotent = false }: ToolOptions<Input>,
  inputSchema: ObjectSchema,
) => ({
  name,
  description,
  inputSchema,
  ...(output ? { outputSchema: jsonSchemaOf(output) } : {}),
  annotations: {
    readOnlyHint: effect === 'reads',
    ...(effect === 'reads' ? {} : { destructiveHint: effect === 'destroys' }),
    ...(effect === 'reads' ? {} : { idempotentHint: isIdempotent }),
    openWorldHint: false,
  },
});

type ObjectSchema = Tool['inputSchema'] & {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
};

/** Limits that only the check applies: errors name them. */
const unlisted = ['maxLength', 'minLength', 'maxItems', 'minItems', 'example'] as const;

/** The JSON schema, as short as it can be: models read all of them. */
const jsonSchemaOf = (schema: z.ZodObject): ObjectSchema => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.maximum;
      }
      unlisted.forEach((name) => delete jsonSchema[name]);
    },
  });
  return rest as ObjectSchema;
};
