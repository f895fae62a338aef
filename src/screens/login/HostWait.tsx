import * as t from '#text/login.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { isVendorLoginSilentAtom, leaveVendorLoginAtom, vendorLoginAtom } from '../../state/people/vendorLogin.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Actions, Column } from '../../ui/page/Page.tsx';

/** While the host does not say who the customer is: what the page waits for, and how to go on. */
export function HostWait() {
  const isSilent = useAtomValue(isVendorLoginSilentAtom);
  const ask = useSetAtom(vendorLoginAtom);
  const leave = useSetAtom(leaveVendorLoginAtom);
  if (!isSilent) return null;
  return (
    <Card>
      <Column>
        <p role="status">{t.hostSilent}</p>
        <Actions>
          <Button full onClick={() => void leave()}>
            {t.hostGoOn}
          </Button>
          <Button full kind="secondary" onClick={() => void ask()}>
            {t.hostAskAgain}
          </Button>
        </Actions>
      </Column>
    </Card>
  );
}
