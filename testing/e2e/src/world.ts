import { randomUUID } from 'node:crypto';
import { bearer, createApi, type Api, type ApiResponse, type ApiOptions } from './call-api.ts';
import { signIn } from './sign-in.ts';
import { whenAvailable } from './when-available.ts';

/** Ids of one company's rows, by the names that route parameters have. */
export type CompanyWorld = {
  readonly companyId: string;
  readonly agentId: string;
  readonly keyId: string;
  readonly key: string;
  readonly runId: string;
  readonly runToken: string;
  readonly noteId: string;
  readonly jobId: string;
  readonly undoId: string;
  readonly proposalId: string;
  readonly inviteId: string;
  /** Of tests that make one. */
  readonly connectionId?: string;
};

const attemptsMax = 20;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (response: ApiResponse, expected: number): Fields => {
  if (response.status !== expected) {
    throw new Error(
      `${response.method} ${response.path} returned ${response.status}: ${JSON.stringify(response.body)}`,
    );
  }
  return response.body as Fields;
};

/** Sends what is repeated while it is 503: on a busy machine a lookup may time out before anything is created. */
const sending =
  (method: 'POST' | 'PUT', expected: number) =>
  async (api: Api, path: string, body: object): Promise<Fields> =>
    fieldsOf(await whenAvailable(() => api(method, path, { body }), attemptsMax), expected);

const make = sending('POST', 201);
const begin = sending('POST', 202);
const accept = sending('POST', 200);
const put = sending('PUT', 201);

/** The same caller with a selected company, which members of more than a hundred companies must name. */
const naming =
  (api: Api, companyId: string): Api =>
  (method, path, call = {}) =>
    api(method, path, { ...call, headers: { 'x-company-id': companyId, ...call.headers } });

/** Ids of a company and its first agent, with a key of that agent. */
export type CompanyKey = Pick<CompanyWorld, 'companyId' | 'agentId' | 'keyId' | 'key'>;

/** Creates a company with an agent and a key. */
export const makeCompanyKey = async (operator: Api, name: string): Promise<CompanyKey> => {
  const companyId = String((await make(operator, '/api/companies', { name }))['id']);
  return { companyId, ...(await makeAgentKey(operator, companyId, 'Ada')) };
};

/** Creates an agent with a key in a company. */
export const makeAgentKey = async (
  operator: Api,
  companyId: string,
  name: string,
): Promise<Omit<CompanyKey, 'companyId'>> => {
  const owner = naming(operator, companyId);
  const path = `/api/companies/${companyId}/agents`;
  const agentId = String((await make(owner, path, { name, role: 'researcher' }))['id']);
  const key = await make(owner, `/api/agents/${agentId}/keys`, { name: 'matrix' });
  return { agentId, keyId: String(key['id']), key: String(key['key']) };
};

/** A note that the agent proposes with the token of a run. Returns the id of the proposal. */
const proposeNote = async (
  owner: Api,
  { agentId }: CompanyKey,
  { baseUrl }: Pick<ApiOptions, 'baseUrl'>,
): Promise<string> => {
  const grants = [{ folder: '', scope: 'any', mode: 'propose' }];
  const { token } = await make(owner, `/api/agents/${agentId}/runs`, { ttlSeconds: 3600, grants });
  const proposer = createApi({ baseUrl, headers: bearer(String(token)) });
  const proposed = await begin(proposer, '/api/notes', { title: 'Proposed' });
  return String((proposed['proposal'] as Fields)['id']);
};

/**
 * Creates a company with an agent, a key, active runs, a note, a background job, a dry run of an undo, a proposal and
 * optionally an invite.
 */
export const makeCompany = async (
  operator: Api,
  name: string,
  options: Pick<ApiOptions, 'baseUrl'> & { readonly withInvite: boolean },
): Promise<CompanyWorld> => {
  const company = await makeCompanyKey(operator, name);
  const { companyId, agentId, key } = company;
  const owner = naming(operator, companyId);
  const byKey = createApi({ baseUrl: options.baseUrl, headers: bearer(key) });
  const started = await make(byKey, `/api/agents/${agentId}/runs`, { ttlSeconds: 3600 });
  const noteId = randomUUID();
  await put(byKey, `/api/notes/${noteId}`, { title: `Note of ${name}` });
  const background = { clientId: 'matrix', mode: 'background', changes: [] };
  const job = await begin(byKey, '/api/sync', background);
  const dryRun = { keyId: company.keyId, dryRun: true };
  const undo = await begin(owner, '/api/notes/undo', dryRun);
  const invite = options.withInvite
    ? await make(owner, `/api/companies/${companyId}/invites`, {
        email: 'later@example.org',
        role: 'viewer',
      })
    : { id: randomUUID() };
  return {
    ...company,
    runId: String((started['run'] as Fields)['id']),
    runToken: String(started['token']),
    noteId,
    jobId: String(job['jobId']),
    undoId: String(undo['id']),
    proposalId: await proposeNote(owner, company, options),
    inviteId: String(invite['id']),
  };
};

export type NewMember = {
  readonly email: string;
  readonly role: 'viewer' | 'operator' | 'owner';
  /** The folders that a viewer reaches; absent: all notes. */
  readonly grants?: readonly { readonly folder: string; readonly scope: 'read' }[];
};

/** The password of all invited members. */
export const memberPassword = 'a quiet harbour at dawn 7';

/** Invites a new account, accepts, and returns the headers its browser sends from then on. */
export const inviteMember = async (
  operator: Api,
  company: Pick<CompanyWorld, 'companyId'>,
  options: Pick<ApiOptions, 'baseUrl'> & NewMember,
): Promise<Record<string, string>> => {
  const { baseUrl, email, role, grants } = options;
  const invite = await make(operator, `/api/companies/${company.companyId}/invites`, {
    email,
    role,
    ...(grants && { grants }),
  });
  // Between account and membership it may be 503 with a session, in which the repeated request continues.
  const visitor = createApi({ baseUrl, headers: { origin: baseUrl, cookie: '' } });
  const accepted = { token: invite['token'], name: `A ${role}`, password: memberPassword };
  await accept(visitor, '/api/auth/invites/accept', accepted);
  return signIn({ baseUrl, email, password: memberPassword });
};
