import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

/** The overlay is read, not run: there is no image of Citus here. */
const folder = join(import.meta.dirname, '../../../infra/scale');
let overlay: string;
let workers: string[];

beforeAll(async () => {
  overlay = await readFile(join(folder, 'docker-compose.citus.yml'), 'utf8');
  workers = matches(/^ {2}(citus-worker[\w-]*):$/gm);
});

const matches = (pattern: RegExp): string[] =>
  [...overlay.matchAll(pattern)].map(([, found = '']) => found);

describe('the overlay for Citus', () => {
  it('keeps the data of each node in a volume with a name', () => {
    const data = matches(/^ +volumes: \['([^']*)', \*hba\]$/gm);
    expect(workers.length).toBeGreaterThan(1);
    expect(data).toEqual(['citus', ...workers].map((name) => `${name}:/var/lib/postgresql/data`));
    const named = matches(/^ {2}([\w-]+): \{\}$/gm);
    expect(named).toEqual(['citus', ...workers]);
  });

  it('mounts the list of trusted addresses in each node, as docker-compose 1.29 can', () => {
    // 1.29 ignores `configs`: PostgreSQL would not start without the file that its command names.
    expect(overlay).not.toMatch(/^ *configs:/m);
    expect(matches(/&hba \.\/infra\/scale\/citus-hba\.conf:(\S+):ro$/gm)).toEqual(
      matches(/hba_file=(\S+)$/gm),
    );
  });

  it('has no profile, without which other commands would not find what migrate depends on', () => {
    expect(overlay).not.toContain('profile');
  });

  it('takes the password of the nodes as a value or in a file, as docker-compose.yml does', () => {
    expect(matches(/^ +POSTGRES_PASSWORD\w*: (.*)$/gm)).toEqual([
      '${POSTGRES_PASSWORD:-}',
      '${POSTGRES_PASSWORD_FILE:-}',
    ]);
  });

  it('registers nodes by name, not by an address that the next start changes', () => {
    expect(matches(/^ +for worker in (.*); do$/gm)).toEqual([workers.join(' ')]);
    expect(overlay).toContain(`citus_set_coordinator_host('citus-coordinator')`);
    expect(overlay).toContain('citus: { aliases: [citus-coordinator] }');
    expect(overlay).not.toContain('getent');
  });

  it('has nodes trust each other alone, in a network without services', async () => {
    const [subnet = ''] = matches(/subnet: ([\d./]+)/g);
    expect(subnet).not.toBe('');
    const hba = await readFile(join(folder, 'citus-hba.conf'), 'utf8');
    const trusted = [...hba.matchAll(/^(\w+) +all all +(\S*?) *trust$/gm)].map(
      ([, kind, address]) => `${kind} ${address}`,
    );
    expect(trusted).toEqual(['local ', 'host 127.0.0.1/32', 'host ::1/128', `host ${subnet}`]);
    expect(matches(/^ +networks: \[(.*)\]$/gm)).toEqual(['citus', 'citus']);
    expect(overlay).not.toContain('POSTGRES_HOST_AUTH_METHOD');
  });
});
