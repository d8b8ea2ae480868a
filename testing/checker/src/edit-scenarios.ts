import { randomUUID } from 'node:crypto';
import { call, isUnavailable, type ApiRequest } from './api-call.ts';
import type { CheckedCompany } from './environment.ts';
import { createExpectations, type Expectations } from './expectations.ts';
import { createPuller, pullAll } from './pull.ts';
import type { Scenario, ScenarioContext } from './scenario.ts';
import { verifyCompany } from './verify.ts';

/** A client appends to a note, and repeats the request as after a lost response. */
export const appendAgain: Scenario = async (context) => {
  const expectations = createExpectations('scenario');
  const id = await createNote(context.company, expectations);
  const token = expectations.newToken();
  const mutationId = randomUUID();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await append(context.company, { id, token, mutationId });
  }
  expectations.acknowledge(token);
  await verify(context, expectations);
};

const writersCount = 16;
const appendsEach = 4;

/** Clients append to one note at once, over two processes. */
export const appendAtOnce: Scenario = async (context) => {
  const expectations = createExpectations('scenario');
  const id = await createNote(context.company, expectations);
  const writer = async () => {
    for (let count = 0; count < appendsEach; count += 1) {
      const token = expectations.newToken();
      await append(context.company, { id, token, mutationId: randomUUID() });
      expectations.acknowledge(token);
    }
  };
  await Promise.all(Array.from({ length: writersCount }, writer));
  await verify(context, expectations);
};

/** An append comes with an edit that does not fit. */
export const appendInPart: Scenario = async (context) => {
  const expectations = createExpectations('scenario');
  const id = await createNote(context.company, expectations);
  const token = expectations.newToken();
  const edits = [
    { op: 'append', text: `${token}\n` },
    { op: 'replace', find: 'not there', with: 'anything' },
  ];
  await send(context.company, { method: 'PATCH', path: `/api/notes/${id}`, body: { edits } });
  expectations.refuse(token);
  await verify(context, expectations);
};

/** Two clients append to the same version of a note, and synchronise. */
export const mergeTwoAppends: Scenario = async (context) => {
  const expectations = createExpectations('scenario');
  const [id, first] = [randomUUID(), expectations.newToken()];
  const push = async (baseRevision: number | null, tokens: readonly string[]) => {
    const note = { title: 'Scenario', content: tokens.map((token) => `${token}\n`).join('') };
    const change = { mutationId: randomUUID(), id, op: 'put', baseRevision, note };
    const body = { clientId: 'scenario', limit: 1, changes: [change] };
    await send(context.company, { method: 'POST', path: '/api/sync', body });
    tokens.forEach(expectations.acknowledge);
  };
  await push(null, [first]);
  await push(1, [first, expectations.newToken()]);
  await push(1, [first, expectations.newToken()]);
  await verify(context, expectations);
};

const titlesCount = 3;
const openersCount = 8;

/** Clients create a note of the same title at once, over two processes, each unless it exists. */
export const createByTitle: Scenario = async ({ company, history }) => {
  for (let number = 0; number < titlesCount; number += 1) {
    const title = `Log ${number}`;
    const body = { title, ifTitleExists: 'return' };
    const open = async () => {
      const response = await send(company, { method: 'POST', path: '/api/notes', body });
      return (response as { readonly id: string }).id;
    };
    const ids = await Promise.all(Array.from({ length: openersCount }, open));
    if (new Set(ids).size > 1) {
      history.violate('one note per title', `${title}: ${[...new Set(ids)].join(' ')}`);
    }
  }
};

const createNote = async (company: CheckedCompany, expectations: Expectations): Promise<string> => {
  const [id, token] = [randomUUID(), expectations.newToken()];
  const body = { title: 'Scenario', content: `${token}\n` };
  await send(company, { method: 'PUT', path: `/api/notes/${id}`, body });
  expectations.acknowledge(token);
  return id;
};

type Append = { readonly id: string; readonly token: string; readonly mutationId: string };

const append = (company: CheckedCompany, { id, token, mutationId }: Append): Promise<unknown> => {
  const body = { edits: [{ op: 'append', text: `${token}\n` }], mutationId };
  return send(company, { method: 'PATCH', path: `/api/notes/${id}`, body });
};

const attemptsMax = 100;

/** Sends a request until it gets a response, and returns its body. */
const send = async (company: CheckedCompany, request: ApiRequest): Promise<unknown> => {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const response = await call(company, request);
    if (!isUnavailable(response)) {
      return response.body;
    }
  }
  throw new Error(`${request.path} stays unavailable`);
};

/** Compares the database and a new client with what was acknowledged and refused. */
const verify = async (
  { environment, company, history }: ScenarioContext,
  expectations: Expectations,
): Promise<void> => {
  const last = createPuller({ actor: 'scenario/puller', company, history, limit: 100 });
  await pullAll(last);
  const { companyId } = company;
  await verifyCompany(environment, { companyId, expectations, replicas: [last] }, history);
};
