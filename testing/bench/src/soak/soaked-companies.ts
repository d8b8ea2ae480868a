import { bearer, type CompanyWorld } from '@commonplace/e2e';
import {
  connectByScript,
  refreshByScript,
  sendTo,
  type ScriptedTokens,
} from '@commonplace/e2e/connect-by-script';
import { runSyncTask } from '../load/tasks.ts';

export type SoakedCompanies = {
  /** The company whose 32 clients read, list, search, write, and call tools. */
  readonly steady: CompanyWorld;
  /** The company that receives new notes in batches of 500 and serves full pulls. */
  readonly loud: CompanyWorld;
  /** Refreshes the connection of a host with the steady company, and returns its access token. */
  readonly refreshConnection: () => Promise<string>;
};

type Instance = {
  readonly url: string;
  readonly makeCompany: (name: string) => Promise<CompanyWorld>;
  /** Of the operator's session; none in local trusted mode. */
  readonly operatorHeaders: Readonly<Record<string, string>>;
};

/** Searches of the steady company go through so many. */
const notes = 2_000;

/** Makes the two companies, fills the first one, and connects a host with it. */
export const makeSoakedCompanies = async (instance: Instance): Promise<SoakedCompanies> => {
  const { url, makeCompany, operatorHeaders } = instance;
  const steady = await makeCompany('Bench');
  const loud = await makeCompany('Batches');
  await runSyncTask({ what: 'push', url, headers: bearer(steady.key), notes, batch: 500 });
  const send = sendTo(url);
  const { companyId, agentId } = steady;
  const consenting = { headers: operatorHeaders, companyId, agentId, origin: url };
  const connection = await connectByScript(send, consenting);
  let { tokens } = connection;
  return {
    steady,
    loud,
    refreshConnection: async () => {
      const { status, text } = await refreshByScript(send, connection, tokens.refresh_token);
      if (status !== 200) {
        throw new Error(`The connection could not be refreshed, ${status}: ${text}`);
      }
      tokens = JSON.parse(text) as ScriptedTokens;
      return tokens.access_token;
    },
  };
};
