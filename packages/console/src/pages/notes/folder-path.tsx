import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import classes from './note-list.module.css';

type FolderPathProps = { readonly companyId: string; readonly folder: string };

/** Where a note is; every folder on the way leads to its notes. Nothing for a note in none. */
export const FolderPath = ({ companyId, folder }: FolderPathProps) => {
  if (folder === '') {
    return null;
  }
  const names = folder.split('/');
  return (
    <div className={classes['path']}>
      {names.map((name, depth) => {
        const path = names.slice(0, depth + 1).join('/');
        return (
          <Fragment key={path}>
            {depth > 0 && <div className={classes['separator']}>/</div>}
            <Link
              to="/companies/$companyId/notes"
              params={{ companyId }}
              search={{ folder: path }}
              className={`text-link mantine-focus-auto ${classes['link']} ${classes['small']}`}
            >
              {name}
            </Link>
          </Fragment>
        );
      })}
    </div>
  );
};
