import * as t from '#text/cart.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Page } from '../../ui/page/Page.tsx';
import { Together } from './Together.tsx';
import { Older, Received } from './changes/Undecided.tsx';

export function EmptyCart() {
  return (
    <>
      <AppBar title={t.title} back={{ label: t.backToMenu, href: href('/menu') }} />
      <EmptyState
        picture={<EmptyPicture />}
        title={t.emptyTitle}
        action={<Button href={href('/menu')}>{t.seeMenu}</Button>}
      >
        {t.emptyText}
      </EmptyState>
      <Page>
        <Received />
        <Older />
        <Together />
      </Page>
    </>
  );
}
