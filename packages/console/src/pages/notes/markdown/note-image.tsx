import { use, useState } from 'react';
import { foreignImages } from '../../../app/foreign-images.ts';
import { newTab } from '../../../components/new-tab.ts';
import { imageOrigin } from './image-origin.ts';
import classes from './markdown.module.css';
import { UnacceptedText } from './unaccepted-text.ts';

type NoteImageProps = { readonly src: string | undefined; readonly alt: string | undefined };

/**
 * An image of a note: of this server, or of another one if this browser shows those. Otherwise, and if it cannot be loaded, a
 * link: to load it would disclose to its server who reads what.
 */
export const NoteImage = ({ src, alt }: NoteImageProps) => {
  const [hasFailed, setHasFailed] = useState(false);
  const label = alt === undefined || alt === '' ? 'image' : alt;
  const origin = imageOrigin(src, location.origin);
  const isUnaccepted = use(UnacceptedText);
  const isShown =
    origin === 'own' || (origin === 'foreign' && !isUnaccepted && foreignImages.areShown());
  return isShown && !hasFailed ? (
    <img
      src={src}
      alt={alt ?? ''}
      className={classes['image']}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setHasFailed(true)}
    />
  ) : (
    <a
      href={src}
      {...newTab}
      rel="noopener noreferrer"
      title={
        origin === 'foreign' && !isShown ? hints[isUnaccepted ? 'unaccepted' : 'off'] : undefined
      }
    >
      {label}
    </a>
  );
};

const hints = {
  off: 'An image from another server. A setting on the page of your account shows them.',
  unaccepted: 'An image from another server. In proposals those are never loaded.',
} as const;
