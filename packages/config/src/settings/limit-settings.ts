import { wholeNumber } from '../fields.ts';
import type { SettingRow } from './setting.ts';

const days = (min: number) => wholeNumber(min, 36_500);
/** A body of a sync may have 32 MiB. */
const bodyMib = wholeNumber(32, 1_000_000);

/** How much one caller may have, and how long it is kept. */
export const limitSettings = [
  {
    about:
      'requests per credential at each gateway, a token bucket with a burst of the same size; `0` turns it off',
    settings: {
      RATE_LIMIT_PER_SECOND: {
        comment:
          'Requests a second per credential at each gateway, with a burst of as many; 0 is off.',
        field: wholeNumber(0, 1_000_000),
        default: '1000',
        readBy: ['gateway'],
      },
    },
  },
  {
    about:
      'connections per address (per /64 of IPv6) at each gateway, which accepts 2,000 in total; `0` turns it off. Trusted proxies, and loopback in `local_trusted` mode, are exempt',
    settings: {
      CONNECTIONS_PER_ADDRESS: {
        comment:
          'Connections at once of one address (of IPv6: of a /64); 0 is off. Proxies in TRUST_PROXY are not counted: a proxy that is missing there has all its clients count as one.',
        field: wholeNumber(0, 1_000_000),
        default: '500',
        readBy: ['gateway'],
      },
    },
  },
  {
    about:
      'concurrent event streams and long polls at each gateway; 429 beyond. A process of the notes service has at most 500 of a company, whatever is set; 503 beyond',
    settings: {
      STREAMS_PER_CREDENTIAL: {
        comment:
          'Event streams and long polls at once, of one credential and of one company; each holds connections.',
        field: wholeNumber(1, 1_000_000),
        default: '50',
        readBy: ['gateway'],
      },
      STREAMS_PER_COMPANY: {
        field: wholeNumber(1, 1_000_000),
        default: '500',
        readBy: ['gateway'],
      },
    },
  },
  {
    about:
      'MiB of incomplete request bodies at each gateway: in total (503 beyond), per company, per credential and per address (429 beyond). Slow bodies lose their place first, with 503',
    settings: {
      BODY_MIB_MAX: {
        comment:
          'MiB of request bodies that a gateway holds until they are complete: in all, of one credential, of one address. Its memory limit has to leave room for them.',
        field: bodyMib,
        default: '128',
        readBy: ['gateway'],
      },
      BODY_MIB_PER_COMPANY: { field: bodyMib, default: '64', readBy: ['gateway'] },
      BODY_MIB_PER_CREDENTIAL: { field: bodyMib, default: '64', readBy: ['gateway'] },
      BODY_MIB_PER_ADDRESS: { field: bodyMib, default: '96', readBy: ['gateway'] },
    },
  },
  {
    about:
      'MiB of bodies above 64 KiB that each notes process handles at once; others wait, 503 after 10 s',
    settings: {
      LARGE_BODY_MIB_MAX: {
        comment:
          'MiB of bodies beyond 64 KiB that a notes process works on at once; parsed, one takes several times as much.',
        field: wholeNumber(1, 1_000_000),
        default: '48',
        readBy: ['notes'],
      },
    },
  },
  {
    about: 'default lifetime of a run JWT, 60-3600',
    settings: {
      RUN_TOKEN_TTL_SECONDS: {
        comment: 'Lifetime of a run JWT whose run names none, 60 to 3600.',
        field: wholeNumber(60, 3600),
        default: '900',
        readBy: ['agents'],
      },
    },
  },
  {
    about: 'concurrent runs of an agent, 1-10000; beyond it a start is 409 `run_limit`',
    settings: {
      RUNNING_RUNS_PER_AGENT: {
        comment: 'Runs of one agent that may go on at once, 1 to 10000.',
        field: wholeNumber(1, 10_000),
        default: '100',
        readBy: ['agents'],
      },
    },
  },
  {
    about:
      'agents of a company, terminated ones included, 1-1000000; beyond it creating one is 409 `agent_limit`',
    settings: {
      AGENTS_PER_COMPANY: {
        comment: 'Agents of one company, those that are terminated included, 1 to 1000000.',
        field: wholeNumber(1, 1_000_000),
        default: '10000',
        readBy: ['agents'],
      },
    },
  },
  {
    about:
      'retention of deletions, of mutation results and of revisions; `REVISION_DAYS=0` keeps all. `MUTATION_DAYS` is at most `TOMBSTONE_DAYS`',
    settings: {
      TOMBSTONE_DAYS: {
        comment:
          'Days that deletions are kept: a client that was offline for longer starts again from nothing.',
        field: days(1),
        default: '90',
        readBy: ['notes'],
      },
      MUTATION_DAYS: {
        comment:
          'Days that the results of mutations are kept: for so long a client may repeat one.',
        field: days(1),
        default: '30',
        readBy: ['notes'],
      },
      REVISION_DAYS: {
        comment: 'Days that old revisions are kept; 0 is for ever.',
        field: days(0),
        default: '0',
        readBy: ['notes'],
      },
    },
  },
] as const satisfies readonly SettingRow[];
