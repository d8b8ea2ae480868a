import { createClient } from '@commonplace/client';
import { openFolder } from '../src/sync/open-folder.ts';
import { openFolderSync } from '../src/sync/sync-folder.ts';

/*
 * Synchronises a folder once, with --delete, and prints the problems. Tests start it as a user other than
 * root, because file modes do not restrict root.
 */
const [root = '', baseUrl = ''] = process.argv.slice(2);
const api = createClient({ baseUrl, retry: { attempts: 1 } });
const opened = await openFolder(api, root, { baseUrl, companyId: 'c' });
try {
  const { problems } = await openFolderSync(opened.folder)({
    mayDelete: true,
    mayDeleteMany: true,
    isWatching: false,
  });
  process.stdout.write(JSON.stringify(problems));
} finally {
  await opened.close();
}
