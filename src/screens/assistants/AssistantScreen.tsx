import * as alive from '#text/alive.ts';
import * as account from '#text/account.ts';
import * as login from '#text/login.ts';
import * as t from '#text/assistants.ts';
import { atom, useAtomValue } from 'jotai';
import { beginQuoteAtom, grantState, quoteState } from '../../state/checkout/assistants.ts';
import { countryAtom } from '../../state/base/country.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { originAtom, pathAtom } from '../../state/first/seams.ts';
import { addressAt } from '../../domain/addressAt.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { Aside, Page } from '../../ui/page/Page.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import type { ScreenInput } from '../base/entered.ts';
import { GrantCard } from './GrantCard.tsx';
import { QuoteCard } from './QuoteCard.tsx';

/** The page that tells how to connect an assistant, and the one that asks whether a program may be. */
const CONNECT = 'connect';
const GRANT = 'grant';

export const enter = atom(null, async (get, set, { params, query }: ScreenInput) => {
  const what = params.what ?? CONNECT;
  if (what === CONNECT || !get(isLoggedInAtom)) return;
  if (what === GRANT) return await set(grantState.load, query.toString());
  set(beginQuoteAtom);
  await set(quoteState.load, what);
});

function Connect() {
  const { COUNTRY_CODE } = useAtomValue(countryAtom);
  const origin = useAtomValue(originAtom);
  const address = new URL(addressAt(origin, `/mcp/${COUNTRY_CODE.toLowerCase()}`), globalThis.location.href).href;
  return (
    <Page>
      <p>{t.connectText}</p>
      <Card title={t.connectHow}>
        <p>
          <Exact>{address}</Exact>
        </p>
      </Card>
      <Aside>{t.connectEnd}</Aside>
      <Button full kind="secondary" href={href('/postorder-ui/profile/devices')}>
        {t.devices}
      </Button>
    </Page>
  );
}

/** What an assistant may do for a customer, and each order that one has prepared. */
export default function AssistantScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const path = useAtomValue(pathAtom);
  useCustomerChange(enter, { params, query: new URLSearchParams(path.split('?')[1]) });
  const what = params.what ?? CONNECT;
  return (
    <>
      <AppBar title={t.title} back={{ label: alive.account, href: href('/postorder-ui/profile') }} />
      {what === CONNECT ? (
        <Connect />
      ) : !isLoggedIn ? (
        <EmptyState
          picture={<EmptyPicture />}
          title={account.profileGuest}
          action={
            <Button href={href(`/postorder-ui/login?redirectUrl=${encodeURIComponent(path)}`)}>{login.title}</Button>
          }
        >
          {t.loginText}
        </EmptyState>
      ) : (
        <Page>{what === GRANT ? <GrantCard /> : <QuoteCard quoteId={what} />}</Page>
      )}
    </>
  );
}
