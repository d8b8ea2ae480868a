import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import classes from './note-list.module.css';

type FolderPathProps = { readonly companyId: string; readonly folder: string };

/** The folder of a note; each segment links to its notes. Empty for a note without a folder. */
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
              title={path}
              className={`text-link one-line mantine-focus-auto ${classes['link']} ${classes['small']}`}
            >
              {name}
            </Link>
          </Fragment>
        );
      })}
    </div>
  );
};
