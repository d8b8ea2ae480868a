import type { Flags } from '../flags.ts';

/** The options of `commonplace heartbeat`. */
export const heartbeatFlags = {
  agent: { type: 'string', value: '<id>', about: 'the agent whose key this is' },
  every: {
    type: 'string',
    value: '<duration>',
    about: 'repeat at this interval: 30s, 5m, 1h; beats never overlap',
  },
  'reserve-cents': { type: 'string', value: '<n>', about: 'reserve this much of the budget first' },
  'ttl-seconds': { type: 'string', value: '<n>', about: 'lifetime of each token, 60-3600' },
  scopes: {
    type: 'string',
    value: '<list>',
    about: 'what the token may do: notes:read,notes:write',
  },
  grants: {
    type: 'string',
    value: '<list>',
    about: 'the folders it reaches: sales,handbook:read',
  },
  context: {
    type: 'boolean',
    about: 'write pinned notes, budget and changes to a file first',
  },
  'context-query': { type: 'string', value: '<q>', about: 'also notes that match this text' },
  json: { type: 'boolean', about: 'log as JSON, one object per line' },
  help: { type: 'boolean', short: 'h', about: 'print this text' },
} as const satisfies Flags;
