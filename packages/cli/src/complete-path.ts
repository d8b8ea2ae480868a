import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';

/**
 * Returns the paths that a typed one may become. A folder ends with a slash, so that the next word goes on inside it.
 * A name that would be an option or a home folder as it is gets `./` in front.
 */
export const completePath = (
  typed: string,
  { isFolder }: { readonly isFolder: boolean },
): string[] => {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  const start = typed.slice(folder.length);
  try {
    return readdirSync(folder.replace(/^~(?=\/)/, () => homedir()) || '.', { withFileTypes: true })
      .filter(({ name }) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
      .flatMap((entry) => {
        const path = `${folder === '' && /^[-~:]/.test(entry.name) ? './' : ''}${folder}${entry.name}`;
        return entry.isDirectory() ? [`${path}/`] : isFolder ? [] : [path];
      });
  } catch {
    // There is no such folder, so there is nothing to complete.
    return [];
  }
};
