import { runId, type NoteGrant, type Proposal, type ProposalDetail } from '@commonplace/contracts';
import { grant, operatorCaller } from '@commonplace/testkit';
import {
  aCompany,
  aNoteId,
  anAgent,
  createNotesWorld,
  namesOfIds,
  type NotesWorld,
  type WorldOptions,
} from '../notes-world.ts';

/** What an agent proposes where: everything in `p`, additions in `log`; it changes `own` and reads the rest. */
export const proposing: readonly NoteGrant[] = [
  { folder: 'p', scope: 'any', mode: 'propose' },
  { folder: 'log', scope: 'append', mode: 'propose' },
  { folder: 'own', scope: 'any', mode: 'direct' },
  { folder: 'r', scope: 'read', mode: 'direct' },
];

type Sent = ReturnType<ReturnType<NotesWorld['as']>['post']>;

/** A company with an agent that proposes, one that writes, and an operator. */
export const createProposalsWorld = async (options: WorldOptions = {}) => {
  const company = aCompany();
  const world: NotesWorld = await createNotesWorld({ describeAuthors: namesOfIds, ...options });
  const writer = anAgent(company);
  const proposer = { ...anAgent(company), grants: proposing };
  const operator = operatorCaller({ companies: [grant(company, 'operator')] });
  const note = async (folder: string, content = 'one\ntwo\nthree\n'): Promise<string> => {
    const id = aNoteId();
    const body = { title: 'N', folder, content };
    await world.as(writer).put(`/api/notes/${id}`).send(body).expect(201);
    return id;
  };
  const stored = async (id: string) =>
    (await world.as(writer).get(`/api/notes/${id}`)).body as {
      readonly content: string;
      readonly revision: number;
    };
  /** Proposes by an edit. */
  const propose = async (id: string, ...edits: readonly object[]): Promise<Proposal> => {
    const { body } = await world.as(proposer).patch(`/api/notes/${id}`).send({ edits }).expect(202);
    return (body as { proposal: Proposal }).proposal;
  };
  /** Proposes with the token of a run. Returns the id of the proposal. */
  const proposeIn = async (run: string, id: string): Promise<string> => {
    const caller = { ...proposer, runId: runId.parse(run), keyId: null };
    const edits = [{ op: 'append', text: `${run}\n` }];
    const { body } = await world.as(caller).patch(`/api/notes/${id}`).send({ edits }).expect(202);
    return (body as { proposal: Proposal }).proposal.id;
  };
  const read = async (id: string): Promise<ProposalDetail> =>
    (await world.as(operator).get(`/api/notes/proposals/${id}`).expect(200)).body as ProposalDetail;
  const accept = (id: string, body: object = {}): Sent =>
    world.as(operator).post(`/api/notes/proposals/${id}/accept`).send(body);
  const reject = (id: string, reason = 'no'): Sent =>
    world.as(operator).post(`/api/notes/proposals/${id}/reject`).send({ reason });
  const list = async (query = '') =>
    (await world.as(operator).get(`/api/notes/proposals${query}`).expect(200)).body as {
      readonly items: readonly Proposal[];
      readonly nextCursor: string | null;
      readonly open: number;
    };
  return {
    company,
    world,
    writer,
    proposer,
    operator,
    note,
    stored,
    propose,
    proposeIn,
    read,
    accept,
    reject,
    list,
  };
};

export type ProposalsWorld = Awaited<ReturnType<typeof createProposalsWorld>>;
