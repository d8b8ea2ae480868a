import { Breadcrumbs } from '@mantine/core';
import { TextLink } from '../../components/links.tsx';

type FolderPathProps = { readonly companyId: string; readonly folder: string };

/** Where a note is; every folder on the way leads to its notes. Nothing for a note in none. */
export const FolderPath = ({ companyId, folder }: FolderPathProps) => {
  if (folder === '') {
    return null;
  }
  const names = folder.split('/');
  return (
    <Breadcrumbs separator="/" separatorMargin={4} style={{ flexWrap: 'wrap' }}>
      {names.map((name, depth) => {
        const path = names.slice(0, depth + 1).join('/');
        return (
          <TextLink
            key={path}
            to="/companies/$companyId/notes"
            params={{ companyId }}
            search={{ folder: path }}
            size="sm"
            c="dimmed"
            lh="24px"
          >
            {name}
          </TextLink>
        );
      })}
    </Breadcrumbs>
  );
};
