import { createClient } from '@commonplace/client';
import { openFolder } from '../src/sync/open-folder.ts';
import { openFolderSync } from '../src/sync/sync-folder.ts';

/*
 * Looks at a folder once, with --delete, and prints its problems: for tests that need a process of
 * somebody whom modes bind.
 */
const [root = '', baseUrl = ''] = process.argv.slice(2);
const api = createClient({ baseUrl, retry: { attempts: 1 } });
const opened = await openFolder(api, root, { baseUrl, companyId: 'c' });
try {
  const { problems } = await openFolderSync(opened.folder)({
    mayDelete: true,
    mayDeleteMany: true,
    isPatient: false,
  });
  process.stdout.write(JSON.stringify(problems));
} finally {
  await opened.close();
}
