import * as t from '#text/login.ts';
import { useAtomValue } from 'jotai';
import { maskedPhone } from '../../domain/phone.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { countryAtom } from '../../state/base/country.ts';
import { userAtom } from '../../state/base/session.ts';
import { rich } from '../../ui/rich.ts';

/** Whose account it is, by name and masked number, which stays on one line. */
export function LoggedInAs() {
  const user = useAtomValue(userAtom);
  const country = useAtomValue(countryAtom);
  return (
    <span>
      {rich(t.loggedIn, {
        known: user?.firstName ? (user.mobile ? 'ALL' : 'NAME') : user?.mobile ? 'MOBILE' : 'NOTHING',
        name: user?.firstName ?? '',
        mobile: user?.mobile ? maskedPhone(writtenPhone(user.mobile, country)).replace(/ /g, '\u00a0') : '',
        b: <b />,
      })}
    </span>
  );
}
