import { mustRun, type Compose } from './compose.ts';
import { memoryOfContainers } from './container-memory.ts';

/** The figures as readable lines. */
export const describeFigures = (figures: ReadonlyMap<string, string>): string =>
  ['Measured:', ...[...figures].map(([name, value]) => `  ${name}: ${value}`), ''].join('\n');

/** The sizes of the images, including the shared base image. */
export const imageSizes = async (compose: Compose): Promise<string> => {
  const ids = (await compose('ps', '-a', '-q')).split('\n');
  const images = await mustRun('docker', ['inspect', '--format', '{{.Config.Image}}', ...ids]);
  const sizes: string[] = [];
  for (const image of ['node:24-bookworm-slim', ...images.split('\n')]) {
    const bytes = await mustRun('docker', ['image', 'inspect', '--format', '{{.Size}}', image]);
    sizes.push(`${image} ${Math.round(Number(bytes) / 1e6)} MB`);
  }
  return sizes.join(', ');
};

/** The memory of every running container. */
export const memoryOf = async (compose: Compose): Promise<string> =>
  (await memoryOfContainers(compose))
    .map(({ name, bytes }) => `${name} ${(bytes / 2 ** 20).toFixed(1)} MiB`)
    .join(', ');
