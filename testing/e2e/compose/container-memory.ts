import { mustRun, type Compose } from './compose.ts';

export type ContainerMemory = {
  readonly name: string;
  readonly bytes: number;
  readonly limitBytes: number;
};

/**
 * The memory that every running container uses, and its limit. Without cached files, which the kernel drops when the limit
 * is reached: those of PostgreSQL grow with its data.
 */
export const memoryOfContainers = async (compose: Compose): Promise<ContainerMemory[]> => {
  const ids = (await compose('ps', '-q')).split('\n');
  const running = await mustRun('docker', ['ps', '-q', '--no-trunc']);
  const containers = ids.filter((id) => running.includes(id));
  const memory = await Promise.all(containers.map(memoryOfContainer));
  return memory.toSorted((a, b) => a.name.localeCompare(b.name));
};

const memoryOfContainer = async (id: string): Promise<ContainerMemory> => {
  const format = ['inspect', '--format', '{{.Name}} {{.HostConfig.Memory}}', id];
  const [name = '', limit = ''] = (await mustRun('docker', format)).slice(1).split(' ');
  const statistics = await mustRun('docker', ['exec', id, 'sh', '-c', readStatistics]);
  const bytes = [...statistics.matchAll(/^(\w+) (\d+)$/gm)]
    .filter(([, key = '']) => countedKeys.includes(key))
    .reduce((sum, [, , value]) => sum + Number(value), 0);
  return { name, bytes, limitBytes: Number(limit) };
};

/** Of control groups 2, or else 1. */
const readStatistics =
  'cat /sys/fs/cgroup/memory.stat 2>/dev/null || cat /sys/fs/cgroup/memory/memory.stat';

/** What cannot be dropped: `rss` of control groups 1 is `anon` of 2, which also counts memory of the kernel. */
const countedKeys = ['rss', 'anon', 'shmem', 'slab_unreclaimable', 'kernel_stack', 'pagetables'];

/** The containers that were killed for their memory, or restarted. */
export const killedContainers = async (compose: Compose): Promise<string[]> => {
  const ids = (await compose('ps', '-q')).split('\n');
  const format = '{{.Name}} {{.State.OOMKilled}} {{.RestartCount}}';
  const states = await mustRun('docker', ['inspect', '--format', format, ...ids]);
  return states
    .split('\n')
    .filter((line) => !line.endsWith(' false 0'))
    .map((line) => line.split(' ')[0] ?? '');
};
