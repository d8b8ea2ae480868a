import {
  listCompaniesWithConnectionsOf,
  listOperatorsWithConnections,
} from '../queries/connections.ts';
import { systemActor } from './audit.ts';
import { endAccessOfOperators, type SweepDeps } from './end-access-of-operators.ts';
import { endConnections } from './revoke-connections.ts';

/**
 * Ends the connections of operators who were disabled, and those from before the access to the account was taken away.
 * Their tokens are rejected from the moment of that (`verifyConnection`); this makes it final, so that they do not come
 * back when the operator is enabled again. Returns the number of such operators.
 */
export const endConnectionsOfOperators = (deps: SweepDeps): Promise<number> =>
  endAccessOfOperators(deps, {
    listOperators: (tx, after, limit) =>
      listOperatorsWithConnections(tx, { after, now: deps.clock(), limit }),
    listCompanies: (tx, ending, limit) =>
      listCompaniesWithConnectionsOf(tx, { ...ending, now: deps.clock() }, limit),
    end: (tx, { operatorId, beforeEpoch, reason }) =>
      endConnections(
        tx,
        { operatorId, beforeEpoch, because: reason },
        { actor: systemActor, at: deps.clock() },
      ),
  });
