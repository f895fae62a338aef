/** The World Pizza League. */
export * as league from '../../screens/league/LeagueScreen.tsx';
export * as leagueApp from '../../screens/league/LeagueAppScreen.tsx';
