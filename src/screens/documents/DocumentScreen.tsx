import * as firstText from '#text/first.ts';
import * as t from '#text/documents.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { dateFormat } from '../../domain/hours.ts';
import { DOCUMENTS, type DocumentId } from '../../contract/documents.ts';
import { countryAtom } from '../../state/base/country.ts';
import { documentIdAtom, documentState } from '../../state/shop/documents.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import css from './DocumentScreen.module.css';

export const enter = atom(null, (get, set) => {
  const id = get(documentIdAtom);
  if (get(documentState.atom).data?.id !== id) set(documentState.put, null);
  return set(documentState.load, id);
});

const titleOf = (id: DocumentId): string => ({ terms: t.terms, privacy: t.privacy, credits: t.credits })[id];

/** Terms of ordering, privacy, and credits: texts to read. */
export default function DocumentScreen() {
  const id = useAtomValue(documentIdAtom);
  const { data: document, status } = useAtomValue(documentState.atom);
  const load = useSetAtom(documentState.load);
  const { locale } = useAtomValue(countryAtom);
  const day = (version: string) =>
    dateFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${version}T00:00:00Z`));
  return (
    <>
      <AppBar title={titleOf(id)} back={{ label: t.home, href: href('/') }} />
      <div className={css.page}>
        {!document && status === 'failed' && (
          <EmptyState
            picture={<EmptyPicture />}
            title={t.missing}
            action={
              <Button kind="secondary" onClick={() => void load(id)}>
                {firstText.tryAgain}
              </Button>
            }
          />
        )}
        {!document && status !== 'failed' && (
          <div aria-busy="true">
            <Skeleton height="24rem" />
          </div>
        )}
        {document && (
          <>
            <p className={css.intro}>{document.intro}</p>
            {document.sections.map(({ heading, paragraphs }) => (
              <section key={heading}>
                <h2>{heading}</h2>
                {paragraphs.map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
              </section>
            ))}
            <p className={css.soft}>{t.version({ date: day(document.version) })}</p>
            <nav aria-label={t.others} className={css.others}>
              {DOCUMENTS.filter((other) => other !== id).map((other) => (
                <a key={other} href={href(`/${other}`)}>
                  {titleOf(other)}
                </a>
              ))}
            </nav>
          </>
        )}
      </div>
    </>
  );
}
