import { mustRun, type Compose } from './compose.ts';

export type ContainerMemory = {
  readonly name: string;
  readonly bytes: number;
  readonly limitBytes: number;
};

/** The memory that every running container uses, and its limit. */
export const memoryOfContainers = async (compose: Compose): Promise<ContainerMemory[]> => {
  const ids = (await compose('ps', '-q')).split('\n');
  const running = await mustRun('docker', ['ps', '-q', '--no-trunc']);
  const format = ['stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}'];
  const used = await mustRun('docker', [...format, ...ids.filter((id) => running.includes(id))]);
  return used
    .split('\n')
    .map((line) => line.split(' '))
    .map(([name = '', bytes = '', , limit = '']) => ({
      name,
      bytes: bytesOf(bytes),
      limitBytes: bytesOf(limit),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
};

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

const units: Readonly<Record<string, number>> = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** A size as `docker stats` prints it, such as `36.5MiB`. */
const bytesOf = (size: string): number => {
  const [, value = '', unit = ''] = /^([\d.]+)(\w+)$/.exec(size) ?? [];
  return Number(value) * (units[unit] ?? Number.NaN);
};
