import * as t from '#text/assistants.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { answerGrantAtom, assistantBusyAtom, grantState } from '../../state/checkout/assistants.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { logoutAtom } from '../../state/people/login.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { pathAtom } from '../../state/first/seams.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { Actions, Aside } from '../../ui/page/Page.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { LoggedInAs } from '../base/LoggedInAs.tsx';
import { NotLoaded } from '../base/NotLoaded.tsx';

/** What a program asks to be allowed, for whose account, and where the answer goes. */
export function GrantCard() {
  const { data, status, failure } = useAtomValue(grantState.atom);
  const load = useSetAtom(grantState.load);
  const answer = useSetAtom(answerGrantAtom);
  const busy = useAtomValue(assistantBusyAtom);
  const isOpen = useAtomValue(isOpenAtom);
  const logout = useSetAtom(logoutAtom);
  const path = useAtomValue(pathAtom);
  if (data === null && status === 'failed')
    return (
      <NotLoaded
        title={t.badRequest}
        failure={failure}
        menu="/"
        onRetry={() => void load(path.slice(path.indexOf('?') + 1))}
      >
        {sentenceOf(failure)}
      </NotLoaded>
    );
  if (data === null) return <Skeleton height="12rem" />;
  return (
    <>
      <Card title={rich(t.allowTitle, { name: <Exact>{data.name}</Exact> })}>
        {data.scopes.includes('order') && <p>{t.scopeOrder}</p>}
        {data.scopes.includes('account') && <p>{t.scopeAccount}</p>}
      </Card>
      {data.describedAt !== undefined && <Aside>{rich(t.allowBy, { host: <Exact>{data.describedAt}</Exact> })}</Aside>}
      <Aside>{rich(t.allowWho, { host: <Exact>{data.returnsTo}</Exact> })}</Aside>
      <Card>
        <p>
          <LoggedInAs />
        </p>
        {isOpen('logout') && (
          <Button kind="quiet" small onClick={() => void logout({ doNotNavigate: true })}>
            {t.notYou}
          </Button>
        )}
      </Card>
      <Actions>
        <Button full busy={busy === 'allow'} onClick={() => void answer(true)}>
          {t.allow}
        </Button>
        <Button full kind="secondary" busy={busy === 'deny'} onClick={() => void answer(false)}>
          {t.deny}
        </Button>
      </Actions>
      <Aside>{t.connectEnd}</Aside>
    </>
  );
}
