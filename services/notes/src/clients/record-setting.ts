import type { CompanyId, OperatorId } from '@commonplace/contracts/core';
import { recordSearchSettingsContract } from '@commonplace/contracts/internal';
import type { ServiceClient } from '@commonplace/http';

/** What an owner switched. */
type SwitchedSetting = {
  readonly companyId: CompanyId;
  readonly operatorId: OperatorId;
  readonly operatorName: string;
  readonly embeddings: boolean;
  /** Where notes are sent; null: no service is configured any more. */
  readonly service: string | null;
};

/** Records in the audit log of a company that an owner switched embeddings. */
export type RecordSetting = (setting: SwitchedSetting) => Promise<unknown>;

/** Records it at the agents service, which has the audit log. */
export const createSettingRecorder =
  (callAgents: ServiceClient): RecordSetting =>
  (setting) =>
    callAgents(recordSearchSettingsContract, setting);
