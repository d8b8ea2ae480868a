import { join } from 'node:path';
import { repositoryRoot } from '../repository-root.ts';

/** A package that people outside this repository install. */
export interface PublishedPackage {
  /** Its folder below `packages`. */
  readonly folder: string;
  /** The name of its tarball, without a version: the gateway serves it at a fixed address. */
  readonly file: string;
}

export const publishedPackages: readonly PublishedPackage[] = [
  { folder: 'client', file: 'commonplace-client.tgz' },
  { folder: 'cli', file: 'commonplace.tgz' },
];

/** The folder of a package. */
export const folderOf = ({ folder }: PublishedPackage): string =>
  join(repositoryRoot, 'packages', folder);

/** Where the gateway finds the tarballs, in a checkout and in the image. */
export const servedFolder = join(repositoryRoot, 'dist-packages');
