import type { Environment } from '@commonplace/config';

/** The variables that programs need. All others are withheld, above all the API key. */
const inherited = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'] as const;

/** The run details that the command receives. */
export type RunDetails = {
  readonly token: string;
  readonly baseUrl: string;
  readonly agentId: string;
  readonly companyId: string;
  readonly runId: string;
  readonly tokenFile: string;
  readonly reportFile: string;
  /** Undefined: no context was requested, or it could not be fetched. */
  readonly contextFile: string | undefined;
};

/**
 * Builds the environment of the command from an allowlist and the details of the run. Names never come
 * from the server, or it could set NODE_OPTIONS or LD_PRELOAD.
 */
export const childEnvironment = (
  environment: Environment,
  details: RunDetails,
): Record<string, string> => ({
  ...Object.fromEntries(
    inherited.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  SERVICE_API_KEY: details.token,
  SERVICE_BASE_URL: details.baseUrl,
  SERVICE_AGENT_ID: details.agentId,
  SERVICE_COMPANY_ID: details.companyId,
  SERVICE_RUN_ID: details.runId,
  SERVICE_USAGE_URL: `${details.baseUrl.replace(/\/$/, '')}/api/runs/${details.runId}/usage`,
  SERVICE_TOKEN_FILE: details.tokenFile,
  SERVICE_REPORT_FILE: details.reportFile,
  ...(details.contextFile === undefined ? {} : { SERVICE_CONTEXT_FILE: details.contextFile }),
});
