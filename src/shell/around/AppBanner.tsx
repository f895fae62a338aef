import * as t from '#text/banner.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { appAddressAtom, isAppRefusedAtom } from '../../state/shop/appBanner.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Actions } from '../../ui/page/Page.tsx';
import { HomeCard } from './HomeCard.tsx';

/** At the end of home, where it moves nothing: the way to the chain's own app. Payment apps forbid it. */
export default function AppBanner() {
  const address = useAtomValue(appAddressAtom);
  const refuse = useSetAtom(isAppRefusedAtom);
  return (
    <HomeCard label={t.title}>
      <Card title={t.title}>
        <p>{t.text}</p>
        <Actions>
          <Button full href={address} data-leave>
            {t.get}
          </Button>
          <Button full kind="quiet" onClick={() => refuse(true)}>
            {t.no}
          </Button>
        </Actions>
      </Card>
    </HomeCard>
  );
}
