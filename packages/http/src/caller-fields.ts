import type { Caller } from '@commonplace/identity';

/** What a log line tells of a caller: ids, never names or credentials. */
export const callerFields = (caller: Caller | undefined): object => {
  switch (caller?.kind) {
    case 'agent':
      return {
        agentId: caller.agentId,
        companyId: caller.companyId,
        ...(caller.keyId ? { keyId: caller.keyId } : { runId: caller.runId }),
      };
    case 'operator':
      return { operatorId: caller.operatorId, companyId: caller.selectedCompanyId };
    case 'service':
      return { calledBy: caller.service };
    default:
      return {};
  }
};
