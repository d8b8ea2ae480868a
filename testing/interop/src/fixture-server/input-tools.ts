import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { requestForms, completionOf, formsOf } from './input-requests.ts';
import { sealState } from './request-state.ts';
import { textOf } from './samples.ts';

type Result = CallToolResult | InputRequiredResult;
type Run = (request: ServerContext['mcpReq']) => Result | Promise<Result>;

const done = (text: string): CallToolResult => ({ content: [textOf(text)] });

const accepted = (request: ServerContext['mcpReq'], key: string) =>
  acceptedContent<Readonly<Record<string, unknown>>>(request.inputResponses, key);

/** What the client of this request can do. */
const capabilitiesOf = ({ envelope }: ServerContext['mcpReq']): ClientCapabilities =>
  (envelope as Readonly<Record<string, ClientCapabilities>> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ] ?? {};

/** A client may respond with anything. */
const responseTo = (
  request: ServerContext['mcpReq'],
  key: string,
): Readonly<Record<string, unknown>> | undefined =>
  request.inputResponses?.[key] as Readonly<Record<string, unknown>> | undefined;

const needsSampling: Run = (request) =>
  responseTo(request, 'completion')
    ? done('Sampled.')
    : inputRequired({ inputRequests: { completion: completionOf('Say pong') } });

const elicits: Run = (request) => {
  const name = accepted(request, 'user_name')?.['name'];
  return typeof name === 'string' ? done(`Hello, ${name}!`) : requestForms({ user_name: 'name' });
};

const samples: Run = (request) => {
  const response = responseTo(request, 'capital');
  return response
    ? done(`Sampling response: ${JSON.stringify(response)}`)
    : inputRequired({
        inputRequests: { capital: completionOf('What is the capital of France?') },
      });
};

const listsRoots: Run = (request) => {
  const response = responseTo(request, 'client_roots');
  return response
    ? done(`Roots: ${JSON.stringify(response)}`)
    : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
};

const hasState: Run = async (request) =>
  accepted(request, 'confirm') && request.requestState() !== undefined
    ? done('state-ok')
    : requestForms({ confirm: 'ok' }, await sealState({ round: 1 }));

const requestsAll: Run = async (request) => {
  const name = accepted(request, 'user_name')?.['name'];
  return name !== undefined &&
    responseTo(request, 'greeting') &&
    responseTo(request, 'client_roots')
    ? done(`Hello, ${JSON.stringify(name)}!`)
    : inputRequired({
        inputRequests: {
          ...formsOf({ user_name: 'name' }),
          greeting: completionOf('Generate a greeting'),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await sealState({ round: 1 }),
      });
};

const hasRounds: Run = async (request) => {
  const round = request.requestState<{ round: number }>()?.round ?? 0;
  if (round === 2) {
    return done(`Color: ${String(accepted(request, 'step2')?.['color'])}`);
  }
  const form = round === 0 ? { step1: 'name' } : { step2: 'color' };
  return requestForms(form, await sealState({ round: round + 1 }));
};

const requestsWhatIsDeclared: Run = (request) => {
  if (request.inputResponses !== undefined) {
    return done('Got all.');
  }
  const declared = capabilitiesOf(request);
  const inputRequests = {
    ...(declared.elicitation ? formsOf({ user_name: 'name' }) : {}),
    ...(declared.sampling ? { greeting: completionOf('Generate a greeting') } : {}),
    ...(declared.roots ? { client_roots: inputRequired.listRoots() } : {}),
  };
  return Object.keys(inputRequests).length > 0
    ? inputRequired({ inputRequests })
    : done('No request is possible.');
};

const tools: Readonly<Record<string, Run>> = {
  test_missing_capability: needsSampling,
  test_input_required_result_elicitation: elicits,
  test_input_required_result_sampling: samples,
  test_input_required_result_list_roots: listsRoots,
  test_input_required_result_request_state: hasState,
  test_input_required_result_tampered_state: hasState,
  test_input_required_result_multiple_inputs: requestsAll,
  test_input_required_result_multi_round: hasRounds,
  test_input_required_result_capabilities: requestsWhatIsDeclared,
};

/** Adds the tools that need input of the client, in the way of revision 2026-07-28. */
export const addInputTools = (mcp: McpServer): void => {
  for (const [name, run] of Object.entries(tools)) {
    mcp.registerTool(
      name,
      { description: `Does what ${name} names`, inputSchema: z.object({}) },
      (_given, { mcpReq }) => run(mcpReq),
    );
  }
};
