/** The assistant: its words and answers come when it is opened. */
export * as chat from '../../screens/chat/ChatScreen.tsx';
