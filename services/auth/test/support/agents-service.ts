import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createConnectionContract,
  connectionId,
  endConnectionContract,
  endConnectionTokensContract,
  issueConnectionTokenContract,
  transferLocalMembershipsContract,
  AppError,
  companyId,
  findInviteContract,
  inviteId,
  listMembershipsContract,
  newId,
  redeemInviteContract,
  type Membership,
  type NoteGrant,
  type OperatorId,
} from '@commonplace/contracts';
import {
  buildApp,
  createLog,
  defineRoute,
  reply,
  serviceClient,
  type ServiceClient,
} from '@commonplace/http';
import { testIdentity } from '@commonplace/testkit';

type Invite = {
  readonly email: string;
  readonly membership: Membership;
  readonly invitedBy: OperatorId | undefined;
  readonly grants: NoteGrant[] | undefined;
};

type AgentsState = {
  isUnavailable: boolean;
  rejectsRedeem: boolean;
  /** Connections are created, but the response is lost. */
  losesResponses: boolean;
};

/** A connection as the fake keeps it. */
type FakeConnection = {
  readonly request: unknown;
  readonly tokens: Set<string>;
  endedBecause: string | null;
};

export type AgentsService = {
  readonly state: AgentsState;
  /** Who received the memberships of the local operator, per call. */
  readonly adopted: string[];
  /** By operator id; `local` for the local operator. */
  readonly memberships: Map<string, Membership[]>;
  readonly call: ServiceClient;
  /** By id. */
  readonly connections: Map<string, FakeConnection>;
  /** Invites an email and returns the token of the link. */
  readonly invite: (email: string, invitedBy?: OperatorId, grants?: NoteGrant[]) => string;
  readonly stop: () => Promise<void>;
};

/**
 * A fake agents service over real HTTP with the real internal contracts; the test sets
 * what it knows.
 */
export const startAgentsService = async (): Promise<AgentsService> => {
  const invites = new Map<string, Invite>();
  const memberships = new Map<string, Membership[]>();
  const adopted: string[] = [];
  const connections = new Map<string, FakeConnection>();
  const state: AgentsState = { isUnavailable: false, rejectsRedeem: false, losesResponses: false };
  const server = createServer(
    buildApp({
      routes: [
        ...routesOver({ invites, memberships, adopted, state }),
        ...connectionRoutes(connections, state),
      ],
      verifyIdentity: testIdentity.verifyIdentity,
      log: createLog('agents', 'silent'),
      isReady: async () => undefined,
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const call: ServiceClient = serviceClient({
    baseUrls: [`http://127.0.0.1:${port}`],
    self: 'auth',
    mintIdentity: testIdentity.mintFrom('auth'),
    timeoutMs: 2_000,
  });
  return {
    state,
    adopted,
    memberships,
    connections,
    call,
    invite: (email, invitedBy, grants) => {
      const token = newId();
      invites.set(createHash('sha256').update(token).digest('hex'), {
        email,
        membership: membershipOf('Acme'),
        invitedBy,
        grants,
      });
      return token;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

/** A membership of a new company. */
export const membershipOf = (companyName: string): Membership => ({
  companyId: companyId.parse(newId()),
  companyName,
  role: 'operator',
  companyStatus: 'active',
});

type World = {
  readonly invites: Map<string, Invite>;
  readonly memberships: Map<string, Membership[]>;
  readonly adopted: string[];
  readonly state: AgentsState;
};

const connectionRoutes = (connections: Map<string, FakeConnection>, state: AgentsState) => {
  const assertThere = () => {
    if (state.isUnavailable) {
      throw new AppError('service_unavailable');
    }
  };
  return [
    defineRoute(createConnectionContract, async ({ body }) => {
      assertThere();
      const id = body.connectionId ?? connectionId.parse(newId());
      if (!connections.has(id)) {
        connections.set(id, { request: body, tokens: new Set(), endedBecause: null });
      }
      if (state.losesResponses) {
        throw new AppError('service_unavailable');
      }
      return reply(201, { connectionId: id });
    }),
    defineRoute(issueConnectionTokenContract, async ({ body }) => {
      assertThere();
      const connection = connections.get(body.connectionId);
      if (!connection || connection.endedBecause !== null) {
        throw new AppError(connection ? 'connection_ended' : 'not_found');
      }
      connection.tokens.add(body.token);
      return reply(200, {});
    }),
    defineRoute(endConnectionTokensContract, async ({ body }) => {
      assertThere();
      const tokens = connections.get(body.connectionId)?.tokens;
      if (body.token === undefined) {
        tokens?.clear();
      } else {
        tokens?.delete(body.token);
      }
      return reply(200, {});
    }),
    defineRoute(endConnectionContract, async ({ body }) => {
      assertThere();
      const connection = connections.get(body.connectionId);
      if (connection && connection.endedBecause === null) {
        connection.endedBecause = body.reason;
        connection.tokens.clear();
      }
      return reply(200, {});
    }),
  ];
};

const routesOver = ({ invites, memberships, adopted, state }: World) => {
  const assertThere = () => {
    if (state.isUnavailable) {
      throw new AppError('service_unavailable');
    }
  };
  return [
    defineRoute(findInviteContract, async ({ body }) => {
      const found = invites.get(body.tokenDigest);
      if (!found) {
        return reply(200, { invite: null });
      }
      const { membership, ...invite } = found;
      return reply(200, {
        invite: { inviteId: inviteId.parse(newId()), ...invite, ...membership },
      });
    }),
    defineRoute(redeemInviteContract, async ({ body }) => {
      assertThere();
      const found = invites.get(body.tokenDigest);
      if (!found || state.rejectsRedeem) {
        throw new AppError('invalid_one_time_token');
      }
      invites.delete(body.tokenDigest);
      memberships.set(body.operator.id, [found.membership]);
      return reply(200, { membership: found.membership });
    }),
    defineRoute(listMembershipsContract, async ({ body }) => {
      assertThere();
      const all = memberships.get(body.isLocal ? 'local' : body.operatorId) ?? [];
      return reply(200, { memberships: all.slice(0, body.limit), isComplete: true });
    }),
    defineRoute(transferLocalMembershipsContract, async ({ body }) => {
      assertThere();
      adopted.push(body.operator.id);
      return reply(200, { adopted: 1 });
    }),
  ];
};
