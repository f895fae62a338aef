import * as t from '#text/cart.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Page } from '../../ui/Page.tsx';
import { SharedDishes } from './SharedCart.tsx';
import { Older } from './Older.tsx';
import { Together } from './Together.tsx';

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
        <SharedDishes />
        <Older />
        <Together />
      </Page>
    </>
  );
}
