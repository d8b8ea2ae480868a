import { ok, warning, type Finding } from '@commonplace/checks';
import type { Deployment } from './deployment.ts';

/** Checks that the images of docker-compose have a tag of their release: the next one would replace those of any other. */
export const checkRelease = async ({ env, isInImage }: Deployment): Promise<Finding[]> => {
  if (!isInImage) {
    return [];
  }
  const tag = env['IMAGE_TAG'] ?? 'latest';
  return [
    tag === 'latest'
      ? warning(
          'release',
          'IMAGE_TAG is latest: the next build replaces the images, and there is none to go back to',
          'Give each release a tag of its own before it is built (docs/deployment.md, Upgrades).',
        )
      : ok('release', `the images have the tag ${tag}`),
  ];
};
