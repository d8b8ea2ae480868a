import type { Environment } from '@commonplace/config';

/** What programs cannot do without. Everything else stays here, our own key above all. */
const inherited = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'] as const;

/** What the command is told about its run. */
export type RunFacts = {
  readonly token: string;
  readonly baseUrl: string;
  readonly agentId: string;
  readonly companyId: string;
  readonly runId: string;
  readonly tokenFile: string;
  readonly reportFile: string;
};

/**
 * The environment of the command, built from nothing: a few names of ours and the facts of the run.
 * Names never come from the server, or it could set NODE_OPTIONS or LD_PRELOAD.
 */
export const childEnvironment = (own: Environment, facts: RunFacts): Record<string, string> => ({
  ...Object.fromEntries(
    inherited.flatMap((name) => {
      const value = own[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  SERVICE_API_KEY: facts.token,
  SERVICE_BASE_URL: facts.baseUrl,
  SERVICE_AGENT_ID: facts.agentId,
  SERVICE_COMPANY_ID: facts.companyId,
  SERVICE_RUN_ID: facts.runId,
  SERVICE_TOKEN_FILE: facts.tokenFile,
  SERVICE_REPORT_FILE: facts.reportFile,
});
