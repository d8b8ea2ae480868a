/**
 * Keys are hierarchical, so that a whole branch can be invalidated at once:
 * `['companies', id]` is everything of a company, `['companies', id, 'agents']` all queries of its agents.
 */
export const keys = {
  consent: (uid: string) => ['consent', uid],
  session: ['session'],
  ownSessions: ['session', 'list'],
  currentSession: ['session', 'current'],
  factors: ['session', 'factors'],
  passkeys: ['session', 'passkeys'],
  identities: ['session', 'identities'],
  signInOptions: ['sign-in-options'],
  operators: ['operators'],
  signIns: ['sign-ins'],
  instance: ['instance'],
  instanceActivity: ['instance-activity'],
  companies: ['companies'],
  company: (companyId: string) => ['companies', companyId] as const,
  members: (companyId: string) => ['companies', companyId, 'members'] as const,
  invites: (companyId: string) => ['companies', companyId, 'invites'] as const,
  activity: (companyId: string) => ['companies', companyId, 'activity'] as const,
  agents: (companyId: string) => ['companies', companyId, 'agents'] as const,
  agent: (companyId: string, agentId: string) =>
    ['companies', companyId, 'agents', agentId] as const,
  /** The API keys of all agents. */
  apiKeys: (companyId: string) => ['companies', companyId, 'keys'] as const,
  connections: (companyId: string) => ['companies', companyId, 'connections'] as const,
  runs: (companyId: string, agentId: string) =>
    ['companies', companyId, 'agents', agentId, 'runs'] as const,
  orgChart: (companyId: string) => ['companies', companyId, 'agents', 'org-chart'] as const,
  notes: (companyId: string) => ['companies', companyId, 'notes'] as const,
  note: (companyId: string, noteId: string) => ['companies', companyId, 'notes', noteId] as const,
  proposals: (companyId: string) => ['companies', companyId, 'proposals'] as const,
  /** Below the notes: it has the note as it is now. */
  proposal: (companyId: string, proposalId: string) =>
    ['companies', companyId, 'notes', 'proposals', proposalId] as const,
  /** Not below the notes: they would be searched for at every change of a note. */
  brokenLinks: (companyId: string, folder: string | undefined) =>
    ['companies', companyId, 'broken-links', folder ?? ''] as const,
  tags: (companyId: string, prefix: string) => ['companies', companyId, 'tags', prefix] as const,
  syncJobs: (companyId: string) => ['companies', companyId, 'sync-jobs'] as const,
  syncJob: (companyId: string, jobId: string) =>
    ['companies', companyId, 'sync-jobs', jobId] as const,
} as const;
