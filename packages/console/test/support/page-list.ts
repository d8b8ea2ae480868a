import type { DemoData } from '../../tools/demo-data.ts';

type Where = readonly [name: string, pathOf: (at: DemoData) => string];

/** Every page of a signed-in operator. */
export const signedInPages: readonly Where[] = [
  ['the dashboard', ({ company }) => company],
  ['the first steps', ({ company }) => `${company}/begin`],
  ['the agents', ({ company }) => `${company}/agents`],
  ['agents that are not there', ({ company }) => `${company}/agents?q=nobody`],
  ['an agent', ({ agent }) => agent],
  ['its keys', ({ agent }) => `${agent}?tab=keys`],
  ['its runs', ({ agent }) => `${agent}?tab=runs`],
  ['its activity', ({ agent }) => `${agent}?tab=activity`],
  ['the org chart', ({ company }) => `${company}/org-chart`],
  ['the notes', ({ company }) => `${company}/notes`],
  ['the notes of a folder', ({ company }) => `${company}/notes?folder=lab`],
  ['the conflicts', ({ company }) => `${company}/notes?show=conflicts`],
  ['the broken links', ({ company }) => `${company}/notes/broken-links`],
  ['a note', ({ note }) => note],
  ['a note that is edited', ({ note }) => `${note}/edit`],
  ['a new note', ({ company }) => `${company}/notes/new`],
  ['a history', ({ note }) => `${note}/history`],
  ['a conflict', ({ conflict }) => conflict],
  ['the proposals', ({ company }) => `${company}/proposals`],
  ['the proposals of every state', ({ company }) => `${company}/proposals?state=all`],
  ['proposals that are not there', ({ company }) => `${company}/proposals?state=expired`],
  ['a proposal that overlaps', ({ overlap }) => overlap],
  ['a proposal of a new note', ({ proposedNote }) => proposedNote],
  [
    'a proposal of nobody',
    ({ company, companyId }) => `${company}/proposals?proposal=${companyId}`,
  ],
  ['a sync job', ({ syncJob }) => syncJob],
  ['the sync jobs', ({ company }) => `${company}/sync-jobs`],
  ['the runs', ({ company }) => `${company}/runs`],
  ['a run', ({ run }) => run],
  ['a run of nobody', ({ company, companyId }) => `${company}/runs/${companyId}`],
  ['the credentials', ({ company }) => `${company}/credentials`],
  ['credentials that are not there', ({ company }) => `${company}/credentials?show=unused`],
  ['the members', ({ company }) => `${company}/members`],
  ['the activity', ({ company }) => `${company}/activity`],
  ['the settings', ({ company }) => `${company}/settings`],
  ['the operators', () => '/operators'],
  ['the sign-ins', () => '/sign-ins'],
  ['sign-ins that are not there', () => '/sign-ins?method=recovery_code&from=2020-01-01'],
  ['the instance', () => '/instance'],
  ['the account', () => '/account'],
  ['a new company', () => '/companies/new'],
  ['an address of nothing', () => '/nowhere'],
  ['an agent of nobody', ({ company, companyId }) => `${company}/agents/${companyId}`],
];

/** Every page that needs no session. */
export const publicPages: readonly (readonly [name: string, path: string])[] = [
  ['the login', '/login'],
  ['the set-up', '/setup#token=nothing'],
  ['an invite', '/invite#token=nothing'],
  ['a refused sign-in', '/login?error=oidc_refused'],
  ['a confirmed sign-in', '/confirmed'],
];
