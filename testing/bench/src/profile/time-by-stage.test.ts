import { describe, expect, it } from '@jest/globals';
import { timeByStage } from './time-by-stage.ts';

const frame = (functionName: string, url = '') => ({ functionName, url });

describe('time by stage', () => {
  it('sums by library, folder and part of Node, the largest first, without what was waited', () => {
    const profile = {
      nodes: [
        { id: 1, callFrame: frame('(root)'), children: [2, 3, 4, 5, 6] },
        { id: 2, callFrame: frame('(idle)') },
        { id: 3, callFrame: frame('(garbage collector)') },
        { id: 4, callFrame: frame('parserOnHeadersComplete', 'node:_http_common'), children: [7] },
        {
          id: 5,
          callFrame: frame(
            'parse',
            'file:///a/node_modules/.pnpm/pg@8/node_modules/pg/lib/client.js',
          ),
        },
        { id: 6, callFrame: frame('main', 'file:///a/services/gateway/src/app.ts') },
        { id: 7, callFrame: frame('check', 'file:///a/services/gateway/src/auth/authenticate.ts') },
      ],
      samples: [2, 3, 4, 5, 7, 7, 6],
      timeDeltas: [1_000, 10, 20, 30, 40, 40, 5],
    };
    expect([...timeByStage(profile)]).toEqual([
      ['services/gateway: auth', 80],
      ['pg', 30],
      ['Node: HTTP', 20],
      ['garbage collection', 10],
      ['services/gateway', 5],
    ]);
  });

  it('counts native functions as part of what called them', () => {
    const profile = {
      nodes: [
        { id: 1, callFrame: frame('(root)'), children: [2] },
        {
          id: 2,
          callFrame: frame('present', 'file:///a/services/notes/src/present/note.ts'),
          children: [3],
        },
        { id: 3, callFrame: frame('stringify') },
      ],
      samples: [3],
      timeDeltas: [7],
    };
    expect([...timeByStage(profile)]).toEqual([['services/notes: present', 7]]);
  });
});
