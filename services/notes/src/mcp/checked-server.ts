import { fieldErrors } from '@commonplace/http';
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const page = z.object({ cursor: z.string().optional() }).optional();

/** What a request needs in `params`. The SDK checks the rest, and the arguments of tools. */
const paramsOf: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  [
    'initialize',
    z.object({
      protocolVersion: z.string(),
      capabilities: z.record(z.string(), z.unknown()),
      clientInfo: z.object({ name: z.string(), version: z.string() }),
    }),
  ],
  ['tools/list', page],
  ['prompts/list', page],
  ['resources/list', page],
  ['resources/templates/list', page],
  ['resources/read', z.object({ uri: z.string() })],
  [
    'prompts/get',
    z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() }),
  ],
]);

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The server of the SDK, which by itself reports `params` of a wrong form as an internal error. */
export class CheckedServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    const schema = paramsOf.get(method);
    return schema === undefined
      ? wrapped
      : async (request, context) => {
          checkParams(method, schema.safeParse(request.params));
          return wrapped(request, context);
        };
  }
}

const checkParams = (method: string, { error }: z.ZodSafeParseResult<unknown>): void => {
  const [first] = fieldErrors(error?.issues ?? []);
  if (first) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Invalid params of ${method}: ${first.path || '/'}: ${first.message}`,
    );
  }
};
