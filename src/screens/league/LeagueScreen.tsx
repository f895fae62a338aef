import * as loyalty from '#text/loyalty.ts';
import * as t from '#text/league.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { href } from '../../ui/href.ts';
import { enterLeagueAtom, League } from './League.tsx';

export const enter = enterLeagueAtom;

export default function LeagueScreen() {
  return (
    <>
      <AppBar title={t.title} back={{ label: loyalty.account, href: href('/postorder-ui/profile') }} />
      <League path="/worldPizzaLeague" />
    </>
  );
}
