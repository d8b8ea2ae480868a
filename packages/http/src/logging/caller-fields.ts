import type { AgentCaller, Caller, OperatorCaller } from '@commonplace/identity';

/** A caller, or an operator whose companies are not looked up yet. */
export type LoggedCaller = Caller | Omit<OperatorCaller, 'companies' | 'selectedCompanyId'>;

const credentialOf = ({ keyId, runId, connection }: AgentCaller): object => {
  if (connection) {
    return { connectionId: connection.id };
  }
  return keyId ? { keyId } : { runId };
};

/** The fields of a caller in a log line: ids, never names or credentials. */
export const callerFields = (caller: LoggedCaller | undefined): object => {
  switch (caller?.kind) {
    case 'agent':
      return {
        agentId: caller.agentId,
        companyId: caller.companyId,
        ...credentialOf(caller),
      };
    case 'operator':
      return {
        operatorId: caller.operatorId,
        ...('selectedCompanyId' in caller ? { companyId: caller.selectedCompanyId } : {}),
      };
    case 'service':
      return { calledBy: caller.service };
    default:
      return {};
  }
};
