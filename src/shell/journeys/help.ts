/** What can be done when something went wrong, and what is said of orders. */
export * as feedback from '../../screens/feedback/FeedbackScreen.tsx';
export * as help from '../../screens/help/HelpScreen.tsx';
export * as ticket from '../../screens/help/TicketScreen.tsx';
export * as tickets from '../../screens/help/TicketsScreen.tsx';
export * as visit from '../../screens/feedback/VisitScreen.tsx';
