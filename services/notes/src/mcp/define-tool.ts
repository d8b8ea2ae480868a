import type { RouteContract } from '@commonplace/contracts/core';
import { parseOrThrow } from '@commonplace/http';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { McpSession } from './mcp-session.ts';
import { readArguments, type Aliases } from './read-arguments.ts';

/** A tool of the MCP server. */
export type McpTool = {
  readonly definition: Tool;
  /** Listed for callers that may call this route; null: for all. */
  readonly contract: RouteContract | null;
  readonly run: (session: McpSession, given: unknown) => Promise<CallToolResult>;
};

type ToolOptions<Input extends z.ZodObject> = {
  readonly name: string;
  readonly description: string;
  readonly contract: RouteContract | null;
  readonly input: Input;
  /** The structure of small results. */
  readonly output?: z.ZodObject;
  /** What a call does: nothing to notes, adds or changes them, or may lose text. */
  readonly effect: 'reads' | 'writes' | 'destroys';
  readonly isIdempotent?: boolean;
  /** Other names that models use for an argument. */
  readonly aliases?: Aliases;
  /** Changes the arguments before they are checked. */
  readonly prepare?: (given: Record<string, unknown>) => Record<string, unknown>;
  readonly run: (session: McpSession, args: z.output<Input>) => Promise<CallToolResult>;
};

/** Defines a tool: its definition as clients list it, and the check of its arguments. */
export const defineTool = <Input extends z.ZodObject>(options: ToolOptions<Input>): McpTool => {
  const { name, description, contract, input, output, effect, aliases = {}, run } = options;
  const inputSchema = jsonSchemaOf(input);
  const { prepare = (given) => given } = options;
  return {
    contract,
    definition: {
      name,
      description,
      inputSchema,
      ...(output ? { outputSchema: jsonSchemaOf(output) } : {}),
      annotations: {
        readOnlyHint: effect === 'reads',
        ...(effect === 'reads' ? {} : { destructiveHint: effect === 'destroys' }),
        ...(effect === 'reads' ? {} : { idempotentHint: options.isIdempotent === true }),
        openWorldHint: false,
      },
    },
    run: (session, given) => {
      const args = prepare(readArguments(given, { aliases, properties: inputSchema.properties }));
      return run(session, parseOrThrow(input, args, 'call'));
    },
  };
};

type ObjectSchema = Tool['inputSchema'] & {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
};

/** The JSON schema, as short as it can be: models read all of them. */
const jsonSchemaOf = (schema: z.ZodObject): ObjectSchema => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.maximum;
      }
    },
  });
  return rest as ObjectSchema;
};
